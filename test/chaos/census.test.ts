import { beforeEach, expect, it } from 'vitest'
import { annotations } from '../../api/labels.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { Ownership } from '../../api/ownership.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { Census, type Count } from './census.ts'

const ours = 'm1-owner-mark-token'
/** The instances by id, and the other resources. */
let instances: Map<string, string>
let parts: Set<string>
let calls: { number: number; action: string; params: object }[]
let bought: string[]

beforeEach(() => {
  instances = new Map([['i-1', ours]])
  parts = new Set()
  calls = []
  bought = [ours]
})

const make = async (name: string) => {
  const id = `s-${instances.size}`
  instances.set(id, name)
  bought.push(name)
  return id
}
const nameOf = ({ owner, token }: Ownership) => `m1-${owner}-mark-${token}`
const cloud = {
  alive: () => [...instances].map(([id, name]) => ({ id, name, state: 'running' })),
  bought: () => bought,
  remains: () => [...[...instances.values()].map((name) => `instances: ${name}`), ...parts],
  strangers: {
    instance: (whose: Ownership) => make(nameOf(whose)),
    copy: (whose: Ownership) => make(nameOf(whose)),
    byHand: make,
    leftovers: async (whose: Ownership) => void parts.add(`disks: ${nameOf(whose)}`),
  },
  control: { requests: () => calls, terminate: (id: string) => void instances.delete(id) },
} as unknown as LabCloud

const attempt = { for: 'ns/m1', owner: 'owner', n: 1, rung: 0, token: 'token', request: 'r', startedAt: 'now' }
const scope = { cloud: 'aws', identity: 'default', region: 'r' }
const machine = {
  metadata: {
    namespace: 'ns',
    name: 'm1',
    annotations: { [annotations.attempt]: JSON.stringify({ ...attempt, scope }) },
  },
} as unknown as InfraMachine

/** The fault happens while the one machine exists, and everything of ours is ended afterwards. */
async function counted(wrong: (strangers: readonly string[]) => void, { elsewhere = 0 } = {}): Promise<Count> {
  const census = await Census.begin(cloud, [machine])
  for (let n = 0; n < elsewhere; n++) await census.launchElsewhere(machine)
  wrong([...instances.values()].filter((name) => name !== ours))
  const herd = {
    settled: async () => [machine],
    instances: async () => new Set(['i-1']),
    async disband() {
      instances.delete('i-1')
      return []
    },
  }
  return census.take(herd, 1, 0)
}

it('where all is well, nothing is counted but what was bought', async () => {
  expect(await counted(() => {})).toEqual({ bought: 1, duplicates: [], leaks: [], touched: [] })
})

it('a network interface that outlives the clusters is a leak', async () => {
  const { leaks } = await counted(() => parts.add('interfaces: m1-nic'))
  expect(leaks).toEqual(['interfaces: m1-nic'])
})

it('one instance too many does not make up for one that is missing', async () => {
  const { leaks, duplicates } = await counted(() => {
    instances.delete('i-1')
    instances.set('i-2', 'm1-owner-mark-other')
    bought.push('m1-owner-mark-other')
  })
  expect(leaks).toEqual([
    'm1-owner-mark-other',
    'i-1, which a machine has and is not there',
    'instances: m1-owner-mark-other',
  ])
  expect(duplicates).toEqual(['m1-owner-mark'])
})

it("a stranger's instance that is gone was touched", async () => {
  const { touched } = await counted(() => instances.delete('s-1'))
  expect(touched).toEqual([expect.stringMatching(/^instances: m1-.+-mark-token$/)])
})

it('an instance of the other management cluster that its own manager ends is none of ours', async () => {
  const well = await counted(() => {}, { elsewhere: 1 })
  expect(well).toEqual({ bought: 1, duplicates: [], leaks: [], touched: [] })
})

it('an instance of the other management cluster that is gone before its own manager ends it was touched', async () => {
  const { touched } = await counted(() => instances.delete([...instances.keys()].at(-1) ?? ''), { elsewhere: 1 })
  expect(touched).toEqual([expect.stringMatching(/^instances: m1-owner-mark-.+$/)])
})

it("a call to change what is a stranger's is a touch, whatever came of it; a look is none", async () => {
  const { touched } = await counted(([double]) => {
    calls = [
      { number: 1, action: 'instances.get', params: { name: double } },
      { number: 2, action: 'instances.delete', params: { name: double } },
      { number: 3, action: 'instances.delete', params: { name: ours } },
    ]
  })
  expect(touched).toEqual([expect.stringMatching(/^instances\.delete .+-mark-token"/)])
})
