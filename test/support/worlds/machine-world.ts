import { shortMessage } from '../short-message.ts'
import type { Attempt } from '../../../api/attempt.ts'
import { findCondition, type Condition } from '../../../api/conditions.ts'
import { spotKind } from '../../../api/kinds.ts'
import { annotations } from '../../../api/labels.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import { BackoffStore } from '../../../controllers/capacity/backoff-store.ts'
import { Launches } from '../../../controllers/capacity/launches.ts'
import { CapacityMemory } from '../../../controllers/capacity/memory.ts'
import { AttemptTokens } from '../../../controllers/shared/attempt-tokens.ts'
import type { MachineDeps } from '../../../controllers/machine/pass.ts'
import { reconcileMachine } from '../../../controllers/machine/reconcile.ts'
import { PendingCreates } from '../../../controllers/machine/existence/pending-creates.ts'
import { Backoff } from '../../../controllers/shared/backoff.ts'
import type { NodeEvent, NodeWrite } from '../../../controllers/shared/nodes.ts'
import { OwnWrites } from '../../../controllers/runtime/cache/own-writes.ts'
import type { Cloud } from '../../../providers/cloud.ts'
import type { CloudError } from '../../../api/cloud-error.ts'
import type { Fleet } from '../../../providers/fleet/fleet.ts'
import { Fleets } from '../../../providers/fleet/fleets.ts'
import type { Scope } from '../../../api/scope.ts'
import type { NamespaceAccounts } from '../../../api/rules/namespace-accounts.ts'
import { accountUse } from '../../../controllers/shared/account-use.ts'
import { FakeApiserver } from '../fakes/fake-apiserver.ts'
import { cloudOf, FakeCloud, fakeScope } from '../fakes/fake-cloud.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../fakes/quiet-ctx.ts'

export const kind = 'AWSMachine'
const coreOwner = (ownerKind: string, name: string) => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: ownerKind,
  name,
  uid: `uid-${name}`,
})

/** One machine `default/m1`, all that it needs, and a manager that can be killed and started. */
export class MachineWorld {
  readonly clock = new FakeClock()
  readonly log = keptLog()
  readonly apiserver = new FakeApiserver()
  readonly cloud = new FakeCloud()
  readonly events: { type: string; reason: string; message: string }[] = []
  readonly nodeWrites: NodeWrite[] = []
  /** Whose Nodes need no more looking after. */
  readonly forgotten: string[] = []
  /** Which accounts namespaces may use. */
  accounts: NamespaceAccounts | undefined
  /** Who uses no fleet any more. */
  readonly left: string[] = []
  /** The scope of each fleet that was asked for. */
  readonly followed: Scope[] = []
  /** On Nodes. */
  readonly nodeEvents: NodeEvent[] = []
  /** What a launch needs is not to be had, as long as this stands here. */
  planFault: CloudError | undefined
  /** The subnets that the specs name. */
  places = ['subnet-a', 'subnet-b', 'subnet-c']
  /** The memory of capacity of this process. */
  memory = new CapacityMemory(() => {})
  /** How often a launch was planned. */
  plans = 0
  /** The infra machines whose turn has come. */
  readonly woken: string[] = []
  /** Why no write to the cloud may begin; undefined when one may. */
  writesHeld: string | undefined
  #stop = new AbortController()
  #shown: InfraMachine | undefined
  #tokens = 0
  #processes = 0
  #deps = this.#start()

  constructor() {
    const { apiserver } = this
    apiserver.put('Cluster', {
      metadata: { namespace: 'default', name: 'c1', annotations: { [annotations.ownerId]: 'owner-1' } },
      spec: { infrastructureRef: { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSCluster', name: 'c1' } },
      status: { initialization: { infrastructureProvisioned: true } },
    } as never)
    apiserver.put('AWSCluster', {
      metadata: { namespace: 'default', name: 'c1', annotations: { [annotations.account]: fakeScope.account } },
      spec: { region: 'us-east-1' },
    } as never)
    apiserver.put('Secret', {
      metadata: { namespace: 'default', name: 'boot', labels: { 'cluster.x-k8s.io/cluster-name': 'c1' } },
      data: { value: Buffer.from('#cloud-config canary').toString('base64') },
    } as never)
    apiserver.put('Machine', {
      metadata: { namespace: 'default', name: 'm1', uid: 'uid-m1' },
      spec: {
        clusterName: 'c1',
        bootstrap: { dataSecretName: 'boot' },
        infrastructureRef: { apiGroup: 'spot.cluster.x-k8s.io', kind, name: 'm1' },
      },
    } as never)
    apiserver.put(kind, {
      apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
      kind,
      metadata: {
        namespace: 'default',
        name: 'm1',
        uid: 'u1',
        generation: 1,
        ownerReferences: [coreOwner('Machine', 'm1')],
      },
      spec: {},
    } as never)
  }

  /** After the first pass, and with a first list. */
  static async begun(): Promise<MachineWorld> {
    const world = new MachineWorld()
    await world.pass()
    await world.listed()
    return world
  }

  get machine(): InfraMachine | undefined {
    return this.apiserver.get(kind, 'default/m1') as InfraMachine | undefined
  }

  get ready(): Condition | undefined {
    return findCondition(this.machine?.status?.conditions, 'Ready')
  }

  get attempt(): Attempt | undefined {
    const text = this.machine?.metadata.annotations?.[annotations.attempt]
    return text === undefined ? undefined : (JSON.parse(text) as Attempt)
  }

  /** One pass; what it throws is handed out, as the controller would log it. */
  async pass(): Promise<unknown> {
    const ctx = quietCtx({ clock: this.clock, log: this.log, signal: this.#stop.signal })
    const pass = { settled: false }
    const passed = reconcileMachine('default/m1', this.#deps, ctx)
      .catch((thrown: unknown) => thrown)
      .finally(() => {
        pass.settled = true
      })
    // What the pass waits for is due at once; a pass that waits for time to pass would hold a worker.
    for (let turn = 0; !pass.settled && turn < 100; turn++) await this.clock.advance(0)
    if (!pass.settled) throw new Error('The pass waits for time to pass')
    return passed
  }

  /** A pass under way, which has come as far as it can. */
  async passing(): Promise<{ passed: Promise<unknown> }> {
    const ctx = quietCtx({ clock: this.clock, log: this.log, signal: this.#stop.signal })
    const passed = reconcileMachine('default/m1', this.#deps, ctx)
    for (let turn = 0; turn < 20; turn++) await this.clock.advance(0)
    return { passed }
  }

  get launches(): Launches {
    return this.#deps.launches
  }

  /** The tokens that this process has seen. */
  get tokens(): AttemptTokens {
    return this.#deps.tokens
  }

  /** From now on the cache lags: it shows this, whatever is written. */
  cacheShows(stale: InfraMachine | undefined): void {
    this.#shown = stale
  }

  /** SIGKILL and start: nothing in memory survives. */
  async restart(): Promise<void> {
    this.#stop.abort(new Error('killed'))
    this.#stop = new AbortController()
    this.#deps = this.#start()
    await this.clock.advance(20_000)
  }

  /** The machine gets its instance, and a list shows that it runs. Returns its id. */
  async serves(): Promise<string> {
    await this.pass()
    const [id = ''] = this.cloud.instances.keys()
    this.cloud.set(id, 'running')
    await this.listed()
    await this.pass()
    return id
  }

  /** A user deletes the infra machine. */
  remove(): void {
    this.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:01:00Z')
  }

  /** Of its only account and region. */
  fleet(): Fleet {
    return this.#deps.fleetOf(
      fakeScope,
      cloudOf(this.cloud, this.places, () => this.cloud.account),
      'test',
    )
  }

  async listed(): Promise<void> {
    await this.clock.advance(15_000)
  }

  #start(): MachineDeps {
    const usual = cloudOf(this.cloud, this.places, () => this.cloud.account)
    const cloud: Cloud = {
      ...usual,
      plan: (wanted, ctx) => {
        this.plans++
        return this.planFault ? Promise.reject(this.planFault) : usual.plan(wanted, ctx)
      },
    }
    const life = quietCtx({ clock: this.clock, log: this.log, signal: this.#stop.signal })
    const fleets = new Fleets({ pollIntervalMs: 15_000, onChange: () => {} }, life)
    this.memory = new CapacityMemory(() => {})
    return {
      resource: spotKind(kind),
      client: this.apiserver.client(),
      infraMachines: { ...this.apiserver.cache<InfraMachine>(kind), get: () => this.#shown ?? this.machine },
      machines: this.apiserver.cache('Machine'),
      launches: new Launches({
        memory: this.memory,
        backoffStore: new BackoffStore(this.apiserver.client()),
        machines: this.apiserver.cache('Machine'),
        policies: this.apiserver.cache('InterruptionPolicy'),
        infraMachines: new Map([[kind, this.apiserver.cache<InfraMachine>(kind)]]),
      }),
      requeue: (key) => void this.woken.push(key),
      clusters: this.apiserver.cache('Cluster'),
      clusterResource: spotKind('AWSCluster'),
      infraClusters: this.apiserver.cache('AWSCluster'),
      recorder: {
        event: ({ type, reason, message }) => void this.events.push({ type, reason, message: shortMessage(message) }),
        settled: () => Promise.resolve(),
      },
      ownWrites: new OwnWrites(),
      backoff: new Backoff(() => 0),
      pendingCreates: new PendingCreates(),
      nodes: {
        write: (write) => {
          this.nodeWrites.push(write)
          return Promise.resolve('done')
        },
        forget: (providerID) => void this.forgotten.push(providerID),
        shownOff: (providerID) => void this.forgotten.push(providerID),
      },
      nodeEvents: { warn: (event) => void this.nodeEvents.push(event) },
      cloud: () => Promise.resolve(cloud),
      fleetOf: (scope, _, user) => {
        this.followed.push(scope)
        return fleets.of(scope, { instances: this.cloud }, user)
      },
      notAllowed: (at, scope) => accountUse(this.accounts).notAllowed(at, scope),
      leaveFleet: (user) => void this.left.push(user),
      tokens: new AttemptTokens(),
      newToken: () => `token-${++this.#tokens}`,
      self: `process-${++this.#processes}`,
      gate: { closed: () => this.writesHeld },
    }
  }
}
