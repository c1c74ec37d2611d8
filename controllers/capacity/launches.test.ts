import { beforeEach, expect, it } from 'vitest'
import { rfc3339 } from '../../api/conditions.ts'
import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import { annotations, core } from '../../api/labels.ts'
import type { Cluster, InfraMachine, Machine } from '../../api/machine.ts'
import { parseOfferingKey, type Offering } from '../../api/offering.ts'
import { termsOf } from '../../api/rules/policy.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { BackoffStore } from './backoff-store.ts'
import { ownGroups } from '../../api/rules/capacity/what-closes.ts'
import { askedOf } from './group-names.ts'
import { Launches } from './launches.ts'
import { CapacityMemory, inClusterAlone } from './memory.ts'

const spot = { apiGroup: 'spot.cluster.x-k8s.io' }
const key = 'Spot:m5.large:us-east-1a'
const offering = parseOfferingKey(key) as Offering
const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
const asked = askedOf({ scope, offering, infra: undefined })
const { offering: group } = ownGroups(asked)
const seconds = 1_000
const terms = termsOf()

let clock: FakeClock
let apiserver: FakeApiserver
let memory: CapacityMemory
let launches: Launches
let woken: string[]

beforeEach(async () => {
  clock = new FakeClock()
  apiserver = new FakeApiserver()
  woken = []
  put('AWSCluster', 'c1', {})
  start()
  await load('c1')
})

/** A process with nothing in its memory. */
function start(): void {
  memory = new CapacityMemory(() => {})
  launches = new Launches({
    memory,
    backoffStore: new BackoffStore(apiserver.client()),
    machines: apiserver.cache<Machine>('Machine'),
    policies: apiserver.cache<InterruptionPolicy>('InterruptionPolicy'),
    infraMachines: new Map([['AWSMachine', apiserver.cache<InfraMachine>('AWSMachine')]]),
  })
}

function load(cluster: string): Promise<void> {
  const infrastructureRef = { ...spot, kind: 'AWSCluster', name: cluster }
  const object: Cluster = { metadata: { namespace: 'default', name: cluster }, spec: { infrastructureRef } }
  return launches.load(object, quietCtx({ clock }))
}

function put(kind: string, name: string, object: object, metadata: object = {}): void {
  apiserver.put(kind, {
    spec: {},
    ...object,
    metadata: { namespace: 'default', name, uid: name, ...metadata },
  } as never)
}

function putMachine(name: string, clusterName = 'c1'): Machine {
  const labels = { [core.deploymentName]: 'md' }
  const infrastructureRef = { ...spot, kind: 'AWSMachine', name }
  const creationTimestamp = rfc3339(clock.now())
  put('Machine', name, { spec: { clusterName, infrastructureRef } }, { labels, creationTimestamp })
  put('AWSMachine', name, {})
  return apiserver.get('Machine', `default/${name}`) as unknown as Machine
}

function putAttempt(name: string, ready?: { status: string; reason: string }): void {
  const startedAt = rfc3339(clock.now())
  const attempt = { for: `default/${name}`, owner: 'o', n: 1, token: name, scope, startedAt, offering: key }
  const noted = { annotations: { [annotations.attempt]: JSON.stringify(attempt) } }
  const conditions = ready ? [{ type: 'Ready', message: '', lastTransitionTime: startedAt, ...ready }] : []
  put('AWSMachine', name, { status: { conditions } }, noted)
}

function enter(name: string, clusterName = 'c1'): number | undefined {
  const machine = putMachine(name, clusterName)
  const wake = () => void woken.push(name)
  const asking = { key: `default/${name}`, machine, cluster: `default/${clusterName}`, asked, wake }
  return launches.enter(asking, clock.now())?.until
}

const told = (cluster = 'c1') =>
  memory.tell({ cluster: `default/${cluster}`, policyKey: 'no policy' }, { group, at: clock.now(), terms })

it('after a pause one of many that ask in the same moment is admitted, before anything is written', async () => {
  told()
  const ends = clock.now() + 30 * seconds
  expect([enter('a'), enter('b')]).toEqual([ends, ends])
  await clock.advance(30 * seconds)
  expect([enter('a'), enter('b'), enter('c')].map((until) => until === undefined)).toEqual([true, false, false])
  expect(enter('a'), 'it comes back for its turn at the cloud').toBeUndefined()
  launches.end('default/a')
  expect(enter('b')).toBeUndefined()
})

it('in another process an attempt under way counts, and one that waits does not', async () => {
  told()
  await clock.advance(30 * seconds)
  putMachine('tries')
  putAttempt('tries')
  putMachine('waits')
  putAttempt('waits', { status: 'Unknown', reason: 'CapacityBackoff' })
  start()
  await load('c1')
  memory.tell({ cluster: 'default/c1', policyKey: 'no policy' }, { group, at: clock.now() - 30 * seconds, terms })
  expect(enter('next')).toBe(clock.now() + terms.patienceMs)
  apiserver.remove('Machine', 'default/tries')
  launches.look('default/c1', clock.now())
  expect(woken).toEqual(['next'])
  expect(enter('next')).toBeUndefined()
})

it('refusals that machines show are known before the first machine asks', async () => {
  putMachine('refused')
  putAttempt('refused', { status: 'False', reason: 'InsufficientCapacity' })
  start()
  await load('c1')
  expect(enter('next')).toBe(clock.now() + 30 * seconds)
})

it('a look requeues as many as may ask, and forgets those that go', async () => {
  told()
  const names = ['a', 'b', 'c', 'd']
  for (const name of names) enter(name)
  launches.look('default/c1', clock.now())
  expect(woken).toEqual([])
  await clock.advance(30 * seconds)
  apiserver.remove('Machine', 'default/a')
  launches.look('default/c1', clock.now())
  expect(woken).toEqual(['b'])
  expect(launches.factsOf('default/a')).toBeUndefined()
  const opened = { failures: 1, failedAt: clock.now() - 30 * seconds, openedAt: clock.now() }
  memory.keepBackoff('default/c1', new Map([['no policy', new Map([[group, opened]])]]))
  launches.look('default/c1', clock.now())
  expect(woken, 'two follow a success').toEqual(['b', 'b', 'c'])
})

it('the try of another Cluster is awaited for one pause', async () => {
  put('AWSCluster', 'c2', {})
  await load('c2')
  told('c1')
  told('c2')
  await clock.advance(30 * seconds)
  expect(enter('a', 'c1')).toBeUndefined()
  expect(enter('b', 'c2')).toBe(clock.now() + 30 * seconds)
  await clock.advance(30 * seconds)
  expect(enter('b', 'c2')).toBeUndefined()
})

it('an instance that was taken back soon holds back no launch, and a refusal in the same pause does', () => {
  const taken = { failures: 1, failedAt: clock.now(), cameUp: true as const }
  memory.keepBackoff('default/c1', new Map([['no policy', new Map([[group, taken]])]]))
  expect([enter('a'), enter('b')]).toEqual([undefined, undefined])
  told()
  expect(enter('c')).toBe(clock.now() + 30 * seconds)
})

it('a claim ends when the attempt shows, also where nothing was ever refused', async () => {
  enter('a')
  launches.look('default/c1', clock.now())
  expect(launches.factsOf('default/a'), 'the cache does not show it yet').toMatchObject({ is: 'claimed' })
  putAttempt('a')
  launches.look('default/c1', clock.now())
  expect(launches.factsOf('default/a')).toBeUndefined()
})

it('a refusal ends the claim, and holds back the others of its policy', async () => {
  expect([enter('a'), enter('b')]).toEqual([undefined, undefined])
  const machine = putMachine('a')
  launches.refused({ machine, cluster: 'default/c1', groups: [group] }, clock.now())
  expect(launches.factsOf('default/a')).toBeUndefined()
  expect(enter('b')).toBe(clock.now() + 30 * seconds)
  put('InterruptionPolicy', 'p', { spec: { clusterName: 'c1' } })
  expect(enter('c'), 'another policy has its own pauses').toBeUndefined()
})

it('an offering that took an instance back is open and avoided until its time is over, for every Cluster', () => {
  const asking = { key: 'default/m1', machine: putMachine('m1'), cluster: 'default/c1', asked, wake: () => {} }
  const standing = () => launches.standingOf(asking, clock.now())
  expect(standing()).toEqual({ is: 'open', isAvoided: false })
  const facts = new Map([[group, { avoidedUntil: clock.now() + 10 * seconds }]])
  memory.record(facts, { cluster: 'default/c2', now: clock.now() })
  expect(standing()).toEqual({ is: 'open', isAvoided: true })
  expect(launches.enter(asking, clock.now())).toBeUndefined()
  return clock.advance(10 * seconds).then(() => expect(standing()).toEqual({ is: 'open', isAvoided: false }))
})

it('what is known of its own Cluster alone makes an offering avoided there, and in no other', () => {
  const own = { key: 'default/m1', machine: putMachine('m1'), cluster: 'default/c1', asked, wake: () => {} }
  const other = { ...own, cluster: 'default/c2' }
  const facts = new Map([[inClusterAlone('default/c1', group), { avoidedUntil: clock.now() + 10 * seconds }]])
  memory.record(facts, { cluster: 'default/c1', now: clock.now() })
  const standings = [own, other].map((one) => launches.standingOf(one, clock.now()))
  expect(standings).toEqual([
    { is: 'open', isAvoided: true },
    { is: 'open', isAvoided: false },
  ])
})

it('a machine that may ask for thousands of offerings waits in the groups of 129 of them', () => {
  const machine = putMachine('m1')
  const [asking, ...others] = Array.from({ length: 8_192 }, (_, n) => {
    const one = { ...offering, instanceType: `t${n}.large` }
    const own = askedOf({ scope, offering: one, infra: undefined })
    return { key: 'default/m1', machine, cluster: 'default/c1', asked: own, wake: () => {} }
  })
  if (asking) launches.wait({ asking, others, until: clock.now() + 30 * seconds }, clock.now())
  const pools = launches.factsOf('default/m1')?.groups.filter((name) => name.startsWith('pool '))
  expect(pools).toHaveLength(129)
})
