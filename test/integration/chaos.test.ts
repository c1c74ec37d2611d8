import { expect, inject, it } from 'vitest'
import { runCampaign } from '../chaos/campaign.ts'
import { isClean, tableOf } from '../chaos/table.ts'
import { startLab } from '../lab/lab.ts'

/** The short form of `npm run chaos`: the points where a crash has cost most, each before and after. */
const points = ['attempt', 'create', 'handle', 'terminate', 'finalizer removal']
const seed = 1

it('the manager is killed around each call and write that counts, behind a list that lags: never two, nothing left', async () => {
  await using lab = await startLab({
    cluster: inject('cluster'),
    manager: inject('manager'),
    delays: { bootMs: 300, stopMs: 100, shutdownMs: 300, noticeMs: 500 },
  })
  const [cloud] = lab.clouds
  if (!cloud) throw new Error('The lab has no cloud.')
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  const outcome = await runCampaign({ lab, cloud, seed, machines: 4, points, logLevel: 'info', say })
  expect(isClean(outcome), `${tableOf([outcome])}\n${said.join('\n')}`).toBe(true)
  expect(outcome.kills).toBe(2 * points.length)
})
