import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { signed } from './aws/signed.ts'
import { cloudNames } from './clouds.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))
const running = new Set<ChildProcessByStdio<null, Readable, Readable>>()

function start(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

async function exitOf(child: ReturnType<typeof start>): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

async function factsOf(child: ReturnType<typeof start>): Promise<Record<string, unknown>> {
  for await (const line of createInterface(child.stdout)) return JSON.parse(line) as Record<string, unknown>
  throw new Error('The program ended without a word')
}

afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

// Nearly all of their time is the start of a process, which on a busy machine takes seconds: so they start together,
// and none is given up early.
describe.concurrent('the simulators as a program', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    'its first line is its facts; it serves until %s, and that is no failure',
    async (signal) => {
      const child = start('--only', 'aws', '--port', '0')
      const ended = exitOf(child)
      const facts = await factsOf(child)
      expect(facts).toEqual({
        cloud: 'aws',
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
        region: 'us-east-1',
        zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
        vpc: expect.stringMatching(/^vpc-/) as string,
        subnet: expect.stringMatching(/^subnet-/) as string,
        subnets: ['us-east-1a', 'us-east-1b', 'us-east-1c'].map((availabilityZone) => ({
          id: expect.stringMatching(/^subnet-/) as string,
          availabilityZone,
          cidr: expect.stringMatching(/^10\.\d+\.\d+\.0\/18$/) as string,
        })),
        securityGroup: expect.stringMatching(/^sg-/) as string,
        image: expect.stringMatching(/^ami-/) as string,
        key: expect.any(String) as unknown,
        instanceProfile: expect.any(String) as unknown,
      })
      const answer = await fetch(`${String(facts['url'])}/_control/instances`)
      expect(await answer.json()).toEqual([])
      child.kill(signal)
      expect(await ended).toBe(0)
    },
  )

  test('without --only every cloud there is says its facts', async () => {
    const child = start()
    const ended = exitOf(child)
    expect((await factsOf(child))['cloud']).toBe('aws')
    child.kill()
    expect(await ended).toBe(0)
  })

  test('with --buckets real calls that come too often are refused, and counted', async () => {
    const child = start('--only', 'aws', '--buckets', 'real', '--kept-requests', '0')
    const url = String((await factsOf(child))['url'])
    const launch = () =>
      fetch(url, { method: 'POST', headers: signed, body: 'Action=RunInstances&Version=2016-11-15' }).then(
        ({ status }) => status,
      )
    // A burst of five, and what flows in while they come: far less than a hundred.
    const statuses = await Promise.all(Array.from({ length: 100 }, launch))
    expect(new Set(statuses)).toEqual(new Set([400, 503]))
    const counts: unknown = await (await fetch(`${url}/_control/counts`)).json()
    expect(counts).toMatchObject({ calls: 100, actions: { RunInstances: { calls: 100 } } })
    expect(await (await fetch(`${url}/_control/requests`)).json()).toEqual([])
  })

  test('a command line that cannot be followed: one sentence, and exit code 2', async () => {
    const child = start('--only', 'mainframe')
    const [code, said, facts] = await Promise.all([exitOf(child), text(child.stderr), text(child.stdout)])
    expect([code, said, facts]).toEqual([2, `--only must be one of ${cloudNames.join(', ')}, not "mainframe".\n`, ''])
  })

  test('a port that is taken is said in a sentence', async () => {
    const first = start('--only', 'aws')
    const { port } = new URL(String((await factsOf(first))['url']))
    const second = start('--only', 'aws', '--port', port)
    const [code, said] = await Promise.all([exitOf(second), text(second.stderr)])
    expect([code, said]).toEqual([1, 'The port is taken; choose another with --port, or 0 for any free one.\n'])
  })
})
