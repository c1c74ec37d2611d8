import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { freePort } from '../lab/processes/port.ts'
import { instanceOf } from './rigs/cloud-cluster.ts'
import { SpotRig } from './rigs/spot-rig.ts'

/** No poll comes in the time of this test. */
const pollInterval = '30m'

it('a hint has the manager list the region at once, so that what has ended is told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'capspot-hint-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'token')
  await writeFile(file, 'hint-canary')
  await using rig = await SpotRig.start(inject('cluster'))
  const at = `127.0.0.1:${await freePort()}`
  await rig.startManager(['--poll-interval', pollInterval, '--hint-bind-address', at, '--hint-token-file', file])
  await rig.applyExamples(1)
  const [machine] = await rig.running(1)

  rig.aws.control.interrupt(instanceOf(machine))
  const headers = { authorization: 'Bearer hint-canary' }
  const hint = await fetch(`http://${at}/hint/aws/us-east-1`, { method: 'POST', headers })
  expect(hint.status).toBe(202)
  await rig.isReady(machine?.metadata.name ?? '', { status: 'False', reason: 'Interrupted' })
})
