import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findCondition, rfc3339 } from '../../api/conditions.ts'
import { annotations, core, remediationDue } from '../../api/labels.ts'
import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { Launches } from '../capacity/launches.ts'
import { CapacityMemory } from '../capacity/memory.ts'
import { OwnWrites } from '../runtime/cache/own-writes.ts'
import type { RemediationDeps } from './deps.ts'
import { BackoffStore } from '../capacity/backoff-store.ts'
import { Mendings } from './mendings.ts'
import { reconcileRemediation } from './reconcile.ts'

const spot = { apiGroup: 'spot.cluster.x-k8s.io' }
const pool = 'Spot:m5.large:us-east-1a'
const poolGroup = `pool aws/default/us-east-1 ${pool}`
const day = 86_400_000

interface Common {
  readonly clock: FakeClock
  readonly memory: CapacityMemory
}

/** One Cluster, c1, in its own namespace. Two with the same `common` are served by one manager. */
class Tenant {
  readonly #apiserver = new FakeApiserver()
  readonly #namespace: string
  readonly #clock: FakeClock
  readonly #deps: RemediationDeps

  constructor(namespace: string, { clock, memory }: Common) {
    this.#namespace = namespace
    this.#clock = clock
    const apiserver = this.#apiserver
    const client = apiserver.client()
    const capacity = {
      machines: apiserver.cache<Machine>('Machine'),
      policies: apiserver.cache<InterruptionPolicy>('InterruptionPolicy'),
      infraMachines: new Map([['AWSMachine', apiserver.cache<InfraMachine>('AWSMachine')]]),
      memory,
      backoffStore: new BackoffStore(client),
    }
    this.#deps = {
      ...capacity,
      launches: new Launches(capacity),
      client,
      clusters: apiserver.cache('Cluster'),
      healthChecks: apiserver.cache('MachineHealthCheck'),
      mendings: new Mendings(),
      ownWrites: new OwnWrites(),
      recorder: { event: () => {} },
      watchFilter: '',
    }
    this.#put('Cluster', 'c1', { spec: { infrastructureRef: { ...spot, kind: 'AWSCluster', name: 'c1' } } })
    this.writeBackoff(undefined)
  }

  /** All places where any version of the manager has stored backoff. */
  writeBackoff(text: string | undefined): void {
    const noted = text === undefined ? {} : { annotations: { [annotations.backoff]: text } }
    this.#put('AWSCluster', 'c1', { spec: {} }, noted)
    this.#put('MachineDeployment', 'md', {}, noted)
  }

  writePolicy(initialSeconds: number, maxSeconds: number): void {
    const spec = { clusterName: 'c1', backoff: { initialSeconds, maxSeconds } }
    this.#put('InterruptionPolicy', 'p', { spec }, { creationTimestamp: '2026-01-01T00:00:00Z' })
  }

  putFailed(name: string, reason: string, since: number, maxPrice?: string): void {
    const ownerReferences = [
      { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 's1', uid: 's1', controller: true },
    ]
    const infrastructureRef = { ...spot, kind: 'AWSMachine', name }
    const labels = { [core.deploymentName]: 'md' }
    this.#put('Machine', name, { spec: { clusterName: 'c1', infrastructureRef } }, { labels, ownerReferences })
    const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' }
    const attempt = {
      for: `${this.#namespace}/${name}`,
      owner: 'o',
      n: 1,
      token: name,
      scope,
      startedAt: rfc3339(since - 1_000),
      offering: pool,
    }
    const lastTransitionTime = rfc3339(since)
    const conditions = [{ type: 'Ready', status: 'False', reason, message: '', lastTransitionTime }]
    const spec = maxPrice === undefined ? {} : { spotMarketOptions: { maxPrice } }
    const noted = { annotations: { [annotations.attempt]: JSON.stringify(attempt) } }
    this.#put('AWSMachine', name, { spec, status: { conditions } }, noted)
  }

  /** As a tenant who may write the status. An API server accepts times that a clock cannot read. */
  writeTimes(name: string, lastTransitionTime: string): void {
    const { status, ...rest } = this.#apiserver.get(
      'AWSMachine',
      `${this.#namespace}/${name}`,
    ) as unknown as InfraMachine
    const conditions = status?.conditions?.map((condition) => ({ ...condition, lastTransitionTime }))
    this.#put('AWSMachine', name, { ...rest, status: { conditions } }, rest.metadata)
  }

  /** A tenant who may write an infra machine chooses what it was cloned from. */
  writeTemplate(name: string, template: string): void {
    const infra = this.#apiserver.get('AWSMachine', `${this.#namespace}/${name}`) as unknown as InfraMachine
    const noted = { ...infra.metadata.annotations, [core.clonedFromName]: template }
    this.#put('AWSMachine', name, infra, { ...infra.metadata, annotations: noted })
  }

  /** The length of the names of groups that the process keeps for it. */
  get remembered(): number {
    const groups = this.#deps.memory.backoffOf(`${this.#namespace}/c1`)
    return [...groups.values()].flatMap((all) => [...all.keys()]).join('').length
  }

  async pass(): Promise<void> {
    await reconcileRemediation(`${this.#namespace}/c1`, this.#deps, quietCtx({ clock: this.#clock }))
  }

  says(name: string): string {
    const machine = this.#apiserver.get('Machine', `${this.#namespace}/${name}`) as Machine | undefined
    return findCondition(machine?.status?.conditions, remediationDue)?.message ?? ''
  }

  #put(kind: string, name: string, object: object, metadata: object = {}): void {
    const uid = `${kind}-${name}`
    this.#apiserver.put(kind, { ...object, metadata: { namespace: this.#namespace, name, uid, ...metadata } })
  }
}

async function common(): Promise<Common> {
  const clock = new FakeClock()
  await clock.advance(day)
  return { clock, memory: new CapacityMemory(() => {}) }
}

/** The conditions of the victim's Machines after the other tenant's pass, and after some time. */
async function saysBeside(laterMs: number, begin: (attacker: Tenant, now: number) => void): Promise<string[]> {
  const shared = await common()
  const now = shared.clock.now()
  const attacker = new Tenant('attacker', shared)
  begin(attacker, now)
  await attacker.pass()
  const victim = new Tenant('victim', shared)
  victim.putFailed('capacity', 'InsufficientCapacity', now - 1_000)
  victim.putFailed('launch', 'LaunchFailed', now - 1_000)
  await victim.pass()
  const said = ['capacity', 'launch'].map((name) => victim.says(name))
  await shared.clock.advance(laterMs)
  await victim.pass()
  return [...said, ...['capacity', 'launch'].map((name) => victim.says(name))]
}

const eachInTime = [
  'InsufficientCapacity: m5.large spot in us-east-1a; next try 00:00:29 UTC, attempt 2.',
  'LaunchFailed: m5.large spot in us-east-1a; next try 00:00:29 UTC, attempt 2.',
  'InsufficientCapacity: m5.large spot in us-east-1a. The Machine is deleted, and its MachineSet creates another.',
  'LaunchFailed: m5.large spot in us-east-1a. The Machine is deleted, and its MachineSet creates another.',
]

const time = fc.oneof(
  fc.string(),
  fc.constantFrom('2026-01-02T00:00:00Z', '2026-01-01T23:59:59Z', '2999-01-01T00:00:00Z', '1970-01-01T00:00:00Z'),
  fc.integer(),
)
const anyGroup = fc.record(
  {
    failures: fc.oneof(fc.integer(), fc.constantFrom(1, 30, Number.MAX_SAFE_INTEGER), fc.string()),
    failedAt: time,
    until: time,
    missedAt: time,
    openedAt: time,
    released: fc.oneof(fc.integer(), fc.constant(Number.MAX_SAFE_INTEGER)),
    probe: fc.record({
      machine: fc.constant('attacker/x'),
      owner: fc.constant('MachineDeployment attacker/md'),
      at: time,
    }),
  },
  { requiredKeys: ['failures', 'failedAt', 'until'] },
)
const groupName = fc.oneof(
  fc.constantFrom(poolGroup, 'quota aws/default/us-east-1 Spot', 'launch MachineDeployment victim/md ', '__proto__'),
  fc.string(),
)
const groupsText = fc.dictionary(groupName, anyGroup)
const texts = fc.oneof(
  groupsText.map((groups) => JSON.stringify(groups)),
  fc.dictionary(fc.constantFrom('', 'p'), groupsText).map((policies) => JSON.stringify(policies)),
  fc.json(),
  fc.string(),
)

it('what took back an instance of one Cluster is avoided by all, for five minutes from then on', async () => {
  const shared = await common()
  const at = shared.clock.now() - 1_000
  const tenant = new Tenant('one', shared)
  tenant.putFailed('m1', 'Interrupted', at)
  await tenant.pass()
  const { avoidedUntil } = shared.memory.factsFor({ cluster: 'another/c1', policyKey: '' }, poolGroup)
  expect(avoidedUntil).toBe(at + 300_000)
})

it('nothing that a tenant writes into its annotation lengthens the pause of another', async () => {
  const probe = { machine: 'attacker/x', owner: 'MachineDeployment attacker/md', at: '2026-01-01T23:59:59Z' }
  const forged = { failures: 30, failedAt: '2026-01-01T23:59:59Z', until: '2999-01-01T00:00:00Z', probe }
  const groups = { [poolGroup]: forged, 'launch MachineDeployment victim/md ': forged }
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const said = await saysBeside(29_000, (attacker, now) => {
        attacker.writePolicy(1, 86_400)
        attacker.writeBackoff(text)
        attacker.putFailed('x', 'LaunchFailed', now - 1_000)
      })
      expect(said).toEqual(eachInTime)
    }),
    { seed: 1, numRuns: 100, examples: [[JSON.stringify(groups)], [JSON.stringify({ '': groups, p: groups })]] },
  )
})

it('nor does its policy: each waits by its own, and for a try that is under way no longer than that', async () => {
  const seconds = fc.integer({ min: 1, max: 86_400 })
  await fc.assert(
    fc.asyncProperty(seconds, seconds, async (initial, max) => {
      const said = await saysBeside(59_000, (attacker, now) => {
        attacker.writePolicy(initial, Math.max(initial, max))
        attacker.putFailed('x', 'InsufficientCapacity', now - 1_000)
      })
      expect(said).toEqual(eachInTime)
    }),
    {
      seed: 1,
      numRuns: 50,
      examples: [
        [3600, 86_400],
        [1, 1],
      ],
    },
  )
})

it('the refusals of an impatient tenant leave another the pauses that its own tries would have', async () => {
  const shared = await common()
  const [impatient, victim] = [new Tenant('impatient', shared), new Tenant('victim', shared)]
  impatient.writePolicy(1, 1)
  const begin = shared.clock.now()
  victim.putFailed('v', 'InsufficientCapacity', begin)
  const said = new Set<string>()
  for (let s = 0; s <= 90; s++) {
    impatient.putFailed('x', 'InsufficientCapacity', begin + s * 1_000)
    await impatient.pass()
    await victim.pass()
    said.add(victim.says('v').replace(/^.*; next try /, ''))
    await shared.clock.advance(1_000)
  }
  expect([...said]).toEqual(['00:00:30 UTC, attempt 2.', '00:01:30 UTC, attempt 3.', '00:03:30 UTC, attempt 4.'])
})

it('a maximum price that is too low does not close the offering for machines that pay more', async () => {
  const shared = await common()
  const [a, b] = [new Tenant('a', shared), new Tenant('b', shared)]
  for (let n = 0; n < 5; n++) {
    a.putFailed('a1', 'MaxPriceTooLow', shared.clock.now() - 1_000, '0.01')
    await a.pass()
    await shared.clock.advance(30_000 * 2 ** n)
  }
  const now = shared.clock.now()
  b.putFailed('b1', 'InsufficientCapacity', now - 1_000)
  b.putFailed('b2', 'MaxPriceTooLow', now - 1_000, '0.02')
  await b.pass()
  for (const name of ['b1', 'b2']) expect(b.says(name)).toContain('next try 00:15:59 UTC, attempt 2.')
})

// `,5Z` and `+99:99` pass the format date-time of a CRD.
it.each(['2026-01-02T00:00:00,5Z', '2026-01-02T00:00:00+99:99', '2026-01-02T00:00:00ZTx'])(
  'a time in a status that no clock can read (%s) fails no pass, and lengthens no other pause',
  async (time) => {
    const said = await saysBeside(60_000, (attacker, now) => {
      attacker.putFailed('capacity', 'InsufficientCapacity', now - 500)
      attacker.writeTimes('capacity', time)
    })
    expect(said).toEqual(eachInTime)
  },
)

it('however often a tenant changes what its machine was cloned from, what is remembered of it does not grow', async () => {
  const shared = await common()
  const tenant = new Tenant('restless', shared)
  for (let n = 0; n < 600; n++) {
    tenant.putFailed('m', 'LaunchFailed', shared.clock.now() - 1_000)
    tenant.writeTemplate('m', `${n}-${'x'.repeat(n % 10 === 0 ? 100_000 : 240)}`)
    await tenant.pass()
  }
  expect(tenant.remembered).toBeLessThan(131_072)
})
