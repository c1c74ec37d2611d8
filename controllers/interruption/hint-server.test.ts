import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx, type KeptLog } from '../../test/support/fakes/quiet-ctx.ts'
import { until } from '../../test/support/until.ts'
import { serveHints } from './hint-server.ts'

let folder: string
let tokenFile: string
let log: KeptLog
let clock: FakeClock
let stop: AbortController
let ended: Promise<void>
let url: string
const listed: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capspot-hints-'))
  tokenFile = join(folder, 'token')
  await writeFile(tokenFile, 'canary-1\n')
  listed.length = 0
  log = keptLog()
  clock = new FakeClock()
  stop = new AbortController()
  const listNow = (cloud: string, region: string) => void listed.push(`${cloud}/${region}`)
  const address = { host: '127.0.0.1', port: 0 }
  ended = serveHints({ address, tokenFile, listNow }, quietCtx({ signal: stop.signal, log, clock }))
  await until(() => log.lines.length > 0)
  const { address: at } = JSON.parse(log.lines[0] ?? '{}') as { address: { port: number } }
  url = `http://127.0.0.1:${at.port}`
})

afterEach(async () => {
  stop.abort(new Error('over'))
  await ended
  await rm(folder, { recursive: true })
})

async function hint(path: string, token = 'canary-1', init: RequestInit = {}): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${url}${path}`, { method: 'POST', headers, ...init })).status
}

it('a hint lists the region at once, whatever its body says', async () => {
  expect(await hint('/hint/ibm/eu-de', 'canary-1', { body: '{"instance": "all"}' })).toBe(202)
  expect(listed).toEqual(['ibm/eu-de'])
})

it('without the token nothing is listed, and nothing is told', async () => {
  expect(await hint('/hint/ibm/eu-de', 'canary-2')).toBe(401)
  expect(await hint('/hint/ibm/eu-de', '')).toBe(401)
  expect((await fetch(`${url}/hint/ibm/eu-de`, { method: 'POST' })).status).toBe(401)
  expect(listed).toEqual([])
})

it('a rotated token counts at once, and without a file nobody is allowed', async () => {
  await writeFile(tokenFile, 'canary-2')
  expect(await hint('/hint/aws/us-east-1')).toBe(401)
  expect(await hint('/hint/aws/us-east-1', 'canary-2')).toBe(202)
  await rm(tokenFile)
  expect(await hint('/hint/aws/us-east-1', 'canary-2')).toBe(401)
  expect(listed).toEqual(['aws/us-east-1'])
})

it.each(['/', '/hint/aws', '/hint/oracle/us-east-1', '/hint/aws/us-east-1/x', '/hint/aws/US', '/hint/aws/..'])(
  'there is no %s',
  async (path) => {
    expect(await hint(path)).toBe(404)
    expect(listed).toEqual([])
  },
)

it('a hint is posted', async () => {
  expect(await hint('/hint/aws/us-east-1', 'canary-1', { method: 'GET' })).toBe(405)
  expect(listed).toEqual([])
})

it('no token reaches the log', async () => {
  await hint('/hint/aws/us-east-1')
  await hint('/hint/aws/us-east-1', 'canary-2')
  await rm(tokenFile)
  await hint('/hint/aws/us-east-1')
  await hint('/hint/aws/us-east-1')
  expect(log.lines.join()).not.toContain('canary')
})

it('refused hints are one line a minute, with their numbers', async () => {
  const refused = () => log.lines.slice(1).map((line) => (JSON.parse(line) as { counts: object }).counts)
  await rm(tokenFile)
  const missing = 'the file of --hint-token-file is missing or empty'
  for (let n = 0; n < 5; n++) await hint('/hint/aws/us-east-1', 'canary-1', { body: 'canary' })
  await writeFile(tokenFile, '')
  await hint('/hint/aws/us-east-1', '')
  await writeFile(tokenFile, 'canary-2')
  await hint('/hint/aws/us-east-1')
  await hint('/hint/canary', 'canary-2')
  await hint('/hint/aws/us-east-1', 'canary-2')
  expect(refused()).toEqual([{ [missing]: 1 }])
  await clock.advance(60_000)
  expect(refused()).toEqual([{ [missing]: 1 }, { [missing]: 5, 'wrong token': 1, 'unknown path': 1 }])
  expect(log.lines.join()).not.toContain('canary')
})
