import { shortMessage } from '../short-message.ts'
import { findCondition, type Condition } from '../../../api/conditions.ts'
import { spotKind } from '../../../api/kinds.ts'
import { annotations } from '../../../api/labels.ts'
import type { InfraCluster, InfraMachine } from '../../../api/machine.ts'
import type { ClusterDeps } from '../../../controllers/cluster/deps.ts'
import { reconcileCluster } from '../../../controllers/cluster/reconcile.ts'
import { AttemptTokens } from '../../../controllers/shared/attempt-tokens.ts'
import { OrphanSweep, type SweepDeps } from '../../../controllers/cluster/sweep.ts'
import { Fleets } from '../../../providers/fleet/fleets.ts'
import type { SourceState } from '../../../api/rules/interruption/notice-sources.ts'
import type { Scope } from '../../../api/scope.ts'
import type { NamespaceAccounts } from '../../../api/rules/namespace-accounts.ts'
import { accountUse } from '../../../controllers/shared/account-use.ts'
import { FakeApiserver } from '../fakes/fake-apiserver.ts'
import { cloudOf, FakeCloud, fakeScope } from '../fakes/fake-cloud.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { quietCtx } from '../fakes/quiet-ctx.ts'

export const namespace = 'default'
export const ref = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSCluster', name: 'c1' }

/** The Cluster `default/c1` with its AWSCluster, and a manager of it. Dispose of it, or its fleet goes on listing. */
export class ClusterWorld implements AsyncDisposable {
  readonly clock = new FakeClock()
  readonly apiserver = new FakeApiserver()
  readonly cloud = new FakeCloud()
  readonly events: string[] = []
  /** Which accounts namespaces may use. */
  accounts: NamespaceAccounts | undefined
  /** The users that have requested a fleet. */
  readonly used: string[] = []
  /** The users that have left their fleet. */
  readonly left: string[] = []
  /** This manager's name beside owner ids. */
  holder = 'here/lease'
  /** The Lease as this process found it. */
  leaseRenewedAt: number | undefined
  deps: ClusterDeps
  /** Of notices. */
  sources: readonly SourceState[] = []
  readonly #stop = new AbortController()
  /** Of each manager that there was. */
  readonly #fleets: Fleets[] = []

  private constructor(listFault: FakeCloud['listFault']) {
    const { apiserver } = this
    this.cloud.listFault = listFault
    this.cloud.now = () => this.clock.now()
    apiserver.put('Cluster', { metadata: { namespace, name: 'c1' }, spec: { infrastructureRef: ref } } as never)
    const ownerReferences = [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'c1', uid: 'u' }]
    apiserver.put('AWSCluster', {
      metadata: { namespace, name: 'c1', ownerReferences },
      spec: { region: 'us-east-1' },
    } as never)
    this.deps = this.#begin({})
  }

  static async start({ listFault }: Pick<FakeCloud, 'listFault'> = { listFault: undefined }): Promise<ClusterWorld> {
    const world = new ClusterWorld(listFault)
    await world.clock.advance(0)
    return world
  }

  /** After two passes: the owner id is minted, and the account has been listed. */
  static async settled(): Promise<ClusterWorld> {
    const world = await ClusterWorld.start()
    await world.pass()
    await world.pass(15_000)
    return world
  }

  /** Another manager, which knows nothing of what the one before has seen. */
  restart(sweep: Partial<SweepDeps> = {}): void {
    this.deps = this.#begin(sweep)
  }

  get object(): InfraCluster | undefined {
    return this.apiserver.get('AWSCluster', 'default/c1') as InfraCluster | undefined
  }

  get ownerId(): string {
    return this.apiserver.get('Cluster', 'default/c1')?.metadata.annotations?.[annotations.ownerId] ?? ''
  }

  condition(type: string): Condition | undefined {
    return findCondition(this.object?.status?.conditions, type)
  }

  /** One pass, after so much time; what it throws is handed out, as the controller would log it. */
  async pass(afterMs = 0): Promise<unknown> {
    await this.clock.advance(afterMs)
    const progress = { settled: false }
    const passed = reconcileCluster('default/c1', this.deps, this.#ctx())
      .catch((thrown: unknown) => thrown)
      .finally(() => {
        progress.settled = true
      })
    for (let turn = 0; !progress.settled && turn < 100; turn++) await this.clock.advance(0)
    return passed
  }

  /** One pass every half minute, for so long. */
  async passes(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 30_000) await this.pass(30_000)
  }

  /** An instance of this cluster, and, unless told otherwise, the machine that it belongs to. */
  async launch(name: string, more: { machine?: boolean; owner?: string; namespace?: string } = {}): Promise<string> {
    const whose = {
      owner: more.owner ?? this.ownerId,
      machine: `${more.namespace ?? namespace}/${name}`,
      token: `token-${more.namespace ?? ''}${name}`,
    }
    const scope = fakeScope
    const want = { ...whose, scope, request: {}, userData: new Uint8Array(), clusterName: 'c1' }
    const { id } = await this.cloud.create(want, this.#ctx())
    this.cloud.set(id, 'running')
    if (more.machine === false) return id
    const { machine, ...tag } = whose
    const attempt = { ...tag, for: machine, n: 1, scope, startedAt: 'x' }
    this.apiserver.put('AWSMachine', {
      metadata: { namespace, name, annotations: { [annotations.attempt]: JSON.stringify(attempt) } },
      spec: {},
    } as never)
    return id
  }

  /** An instance of a machine that this manager knew, and that was taken away past its finalizer. */
  async orphan(name: string): Promise<string> {
    const id = await this.launch(name)
    await this.pass()
    this.apiserver.remove('AWSMachine', `${namespace}/${name}`)
    return id
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the test is over'))
    await Promise.all(this.#fleets.map((fleets) => fleets.ended()))
  }

  #begin(sweep: Partial<SweepDeps>): ClusterDeps {
    const { apiserver, cloud, clock } = this
    const adapter = cloudOf(cloud, [], () => cloud.account)
    const fleets = new Fleets({ pollIntervalMs: 15_000, onChange: () => {} }, this.#ctx())
    fleets.of(fakeScope, { instances: cloud }, 'the world')
    this.#fleets.push(fleets)
    const common = {
      client: apiserver.client(),
      machineResource: spotKind('AWSMachine'),
      cloud: () => Promise.resolve(adapter),
      fleetOf: (scope: Scope, _: unknown, user: string) => {
        this.used.push(user)
        return fleets.of(scope, { instances: cloud }, user)
      },
      notAllowed: (at: string, scope: Scope) => accountUse(this.accounts).notAllowed(at, scope),
      leaveFleet: (user: string) => void this.left.push(user),
    }
    const recorder = {
      event: ({ message }: { message: string }) => void this.events.push(shortMessage(message)),
      settled: () => Promise.resolve(),
    }
    const infraMachines = apiserver.cache<InfraMachine>('AWSMachine')
    const [leaseRenewedAt, tokens] = [this.leaseRenewedAt, new AttemptTokens()]
    const sweepDeps = {
      ...common,
      recorder,
      infraMachines,
      tokens,
      leaseRenewedAt,
      orphans: 'Terminate',
      ...sweep,
    } as const
    const infraClusters = apiserver.cache<InfraCluster>('AWSCluster')
    return {
      ...common,
      recorder,
      noticeSources: () => this.sources,
      resource: spotKind('AWSCluster'),
      infraClusters,
      everyKind: () => [{ clusterResource: spotKind('AWSCluster'), infraClusters }],
      holder: () => Promise.resolve(this.holder),
      clusters: apiserver.cache('Cluster'),
      sweep: new OrphanSweep(sweepDeps, { clock }),
    }
  }

  #ctx() {
    return quietCtx({ clock: this.clock, signal: this.#stop.signal })
  }
}
