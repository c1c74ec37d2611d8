import { expect, test } from 'vitest'
import { findCondition, type Condition } from '../../api/conditions.ts'
import type { Node } from '../../api/machine.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { keptLog } from '../../test/support/fakes/quiet-ctx.ts'
import { runAgent, type AgentParts } from './agent.ts'
import type { Say } from './announcement.ts'

/** An agent whose API server and metadata a test plays. */
function agent(over: Partial<AgentParts['api']> = {}) {
  const clock = new FakeClock()
  const stop = new AbortController()
  const log = keptLog()
  const node: Node = { metadata: { name: 'n1' }, spec: { providerID: 'aws:///z/i-1' } }
  const state = { written: [] as readonly Condition[], started: [] as string[], say: undefined as Say | undefined }
  const api: AgentParts['api'] = {
    ownNode: async () => node,
    apply: async (conditions) => void (state.written = conditions),
    podIsEnding: async () => false,
    ...over,
  }
  const sourceOf = (providerID: string) => {
    state.started.push(providerID)
    if (!providerID.startsWith('aws://')) return undefined
    return async (say: Say) => {
      state.say = say
      await new Promise<never>(() => {})
    }
  }
  const ended = runAgent({ api, sourceOf }, { clock, log, signal: stop.signal })
  const statusOf = (type: string) => findCondition(state.written, type)?.status
  return { clock, log, node, state, statusOf, ended, tellToEnd: () => stop.abort(new Error('SIGTERM')) }
}

const away = () => Promise.reject(new Error('connect ECONNREFUSED'))
const notice = { reason: 'Test', message: 'It ends' }

test('watches the cloud of its Node', async () => {
  const { clock, state, statusOf, ended, tellToEnd } = agent()
  await clock.advance(1_000)
  expect(state.started).toEqual(['aws:///z/i-1'])
  state.say?.('Terminating', notice)
  await clock.advance(0)
  expect(statusOf('Terminating')).toBe('True')
  tellToEnd()
  await clock.advance(0)
  await ended
  expect(clock.pending).toBe(0)
})

test('waits for a providerID, and reports meanwhile', async () => {
  const { clock, node, state, statusOf, ended, tellToEnd } = agent()
  delete node.spec
  await clock.advance(15_000)
  expect(state.started).toEqual([])
  expect(statusOf('Terminating')).toBe('False')
  node.spec = { providerID: 'aws:///z/i-1' }
  await clock.advance(10_000)
  expect(state.started).toEqual(['aws:///z/i-1'])
  tellToEnd()
  await clock.advance(0)
  await ended
})

test('on a cloud without such metadata it still tells of a shutdown', async () => {
  const { clock, node, statusOf, ended, tellToEnd } = agent()
  node.spec = { providerID: 'ibm:///eu-de/i-1' }
  await clock.advance(1_000)
  tellToEnd()
  await clock.advance(0)
  await ended
  expect(statusOf('NodeShutdown')).toBe('True')
})

test('waits for the API server at its start', async () => {
  let tries = 0
  const { clock, log, state, ended, tellToEnd } = agent({
    ownNode: async () => (++tries < 10 ? away() : { metadata: { name: 'n1' }, spec: { providerID: 'aws:///z/i-1' } }),
  })
  await clock.advance(60_000)
  expect(state.started).toHaveLength(1)
  expect(log.lines.filter((line) => line.includes('does not answer'))).toHaveLength(1)
  tellToEnd()
  await clock.advance(0)
  await ended
})

test('told to end with its Pod: it says nothing, and ends', async () => {
  const { clock, statusOf, ended, tellToEnd } = agent({ podIsEnding: async () => true })
  await clock.advance(1_000)
  tellToEnd()
  await clock.advance(0)
  await ended
  expect(statusOf('NodeShutdown')).toBe('False')
})

test('told to end while a notice is not written yet: it ends when that is written', async () => {
  let isAway = false
  const all: (readonly Condition[])[] = []
  const { clock, state, ended, tellToEnd } = agent({
    podIsEnding: async () => true,
    apply: async (conditions) => (isAway ? away() : void all.push(conditions)),
  })
  await clock.advance(1_000)
  isAway = true
  state.say?.('Terminating', notice)
  await clock.advance(1_000)
  tellToEnd()
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  await clock.advance(10_000)
  expect(hasEnded).toBe(false)
  isAway = false
  await clock.advance(3_000)
  await ended
  expect(findCondition(all.at(-1), 'Terminating')?.status).toBe('True')
})

test('told to end while the API server is away: it ends within its time, and claims nothing', async () => {
  const { clock, statusOf, ended, tellToEnd } = agent({ podIsEnding: away })
  await clock.advance(1_000)
  tellToEnd()
  await clock.advance(25_000)
  await ended
  expect(statusOf('NodeShutdown')).toBe('False')
  expect(clock.pending).toBe(0)
})

test('a mistake of its own ends it: the kubelet starts it again', async () => {
  const { clock, node, ended } = agent()
  node.spec = Object.defineProperty({}, 'providerID', {
    get: () => {
      throw new Error('Nobody expected this.')
    },
  })
  const failed = ended.catch(String)
  await clock.advance(1_000)
  expect(await failed).toContain('Nobody expected this.')
})
