import { readInterruption, type Interruption } from '../../../api/interruption.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import { annotations, core } from '../../../api/labels.ts'
import type { Machine, MachineSet } from '../../../api/machine.ts'
import type { Notice } from '../../../api/notice.ts'
import { DeletedMachines } from '../../../controllers/interruption/deleted-machines.ts'
import type { DecisionDeps } from '../../../controllers/interruption/deps.ts'
import { ReplacementsAhead } from '../../../controllers/interruption/planned/replacements-ahead.ts'
import { ShownLists } from '../../../controllers/interruption/withdrawal/shown-lists.ts'
import { PendingNotices } from '../../../controllers/interruption/pending-notices.ts'
import { reconcileInterruption } from '../../../controllers/interruption/reconcile.ts'
import type { InterruptionSeries } from '../../../controllers/shared/interruption-series.ts'
import type { Cache } from '../../../controllers/runtime/cache/cache.ts'
import { OwnWrites } from '../../../controllers/runtime/cache/own-writes.ts'
import type { ShownList } from '../../../providers/notices.ts'
import type { EventInput } from '../../../controllers/runtime/controller/events.ts'
import type { Result } from '../../../controllers/runtime/controller/result.ts'
import { FakeApiserver } from '../fakes/fake-apiserver.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { quietCtx } from '../fakes/quiet-ctx.ts'

const group = 'cluster.x-k8s.io/v1beta2'
const hourMs = 60 * 60_000
const quietSeries: InterruptionSeries = { notice: () => {}, announced: () => {}, passed: () => {}, queueAge: () => {} }

/** A Cluster with one MachineSet and its Machines, each with an instance that has run for an hour. */
export class InterruptionWorld {
  readonly apiserver = new FakeApiserver()
  readonly clock = new FakeClock()
  readonly events: EventInput[] = []
  /** What came of notices. */
  readonly results: string[] = []
  /** The infra machines whose interruption was counted as announced. */
  readonly announced: string[] = []
  notices = new PendingNotices()
  shown = new ShownLists()
  /** Whether the infra machines have been listed. */
  isInfraListed = true
  /** Whether the cache does not show yet that there are infra machines. */
  isInfraLate = false
  /** What the cache still shows of the MachineSet; undefined: the present one. */
  lateSet: MachineSet | undefined
  /** Until when the offering of the Machines is shut; undefined: it is open. */
  shutUntil: number | undefined
  /** The backoff groups that were asked about last. */
  askedAbout: readonly string[] = []
  /** What the cache still shows of the Machine m1; undefined: the present one. */
  lateMachine: Machine | undefined
  #ownWrites = new OwnWrites()
  #deleted = new DeletedMachines()
  #ahead = this.#newAhead()
  isBusy = false

  constructor() {
    const metadata = { namespace: 'default', name: 'c1', uid: 'cluster' }
    const controlPlaneRef = { apiGroup: 'g', kind: 'K', name: 'n' }
    this.apiserver.put('Cluster', { metadata, spec: { controlPlaneRef } } as never)
    this.putSet({ replicas: 1 })
  }

  get #deps(): DecisionDeps {
    const { apiserver } = this
    const infra = apiserver.cache('AWSMachine')
    const get: typeof infra.get = (key) => (this.isInfraLate ? undefined : infra.get(key))
    const infraMachines = new Map([['AWSMachine', { ...infra, get, hasSynced: () => this.isInfraListed } as never]])
    return {
      client: apiserver.client(),
      clusters: apiserver.cache('Cluster'),
      machines: this.#machinesInCache(),
      machineSets: this.#setsInCache(),
      machineDeployments: apiserver.cache('MachineDeployment'),
      policies: apiserver.cache('InterruptionPolicy'),
      infraMachines,
      notices: this.notices,
      shown: this.shown,
      ownWrites: this.#ownWrites,
      ahead: this.#ahead,
      capacity: {
        shutUntil: (_, groups) => {
          this.askedAbout = groups
          return this.shutUntil
        },
      },
      isBusy: () => this.isBusy,
      recorder: { event: (input) => void this.events.push(input) },
      series: {
        ...quietSeries,
        notice: (...[, , result]) => void this.results.push(result),
        announced: ({ metadata }) => void this.announced.push(metadata.name),
      },
      recorded: () => {},
      deleted: this.#deleted,
    }
  }

  #machinesInCache(): Cache<Machine> {
    const cache = this.apiserver.cache<Machine>('Machine')
    return { ...cache, get: (key) => (key === 'default/m1' ? this.lateMachine : undefined) ?? cache.get(key) }
  }

  #setsInCache(): Cache<MachineSet> {
    const cache = this.apiserver.cache<MachineSet>('MachineSet')
    return { ...cache, get: (key) => this.lateSet ?? cache.get(key) }
  }

  get set(): MachineSet {
    return this.apiserver.get('MachineSet', 'default/set') as unknown as MachineSet
  }

  /** One pass over a Machine. */
  pass(name = 'm1'): Promise<Result> {
    return reconcileInterruption(`default/${name}`, this.#deps, quietCtx({ clock: this.clock }))
  }

  /** Passes until nothing is written any more. */
  async settle(): Promise<Result> {
    for (;;) {
      const before = this.apiserver.writes.length
      const isDeleting = this.isDeleting
      const result = await this.pass()
      if (this.apiserver.writes.length === before && this.isDeleting === isDeleting) return result
    }
  }

  /** Another process goes on. It remembers nothing. */
  restart(): void {
    this.notices = new PendingNotices()
    this.shown = new ShownLists()
    this.#ownWrites = new OwnWrites()
    this.#deleted = new DeletedMachines()
    this.#ahead = this.#newAhead()
  }

  #newAhead(): ReplacementsAhead {
    return new ReplacementsAhead({ machines: this.apiserver.cache('Machine'), ownWrites: this.#ownWrites })
  }

  notice(over: Partial<Notice> = {}): Promise<void> {
    const at = this.clock.now()
    const usual = { instance: 'i-m1', kind: 'Spot', source: 'SpotRequests', at, deadline: at + 120_000 } as const
    return this.notices.give('default/m1', { ...usual, ...over })
  }

  /** The Node of this Machine says that it should be replaced. */
  recommend(name: string): void {
    const notice = { instance: `i-${name}`, kind: 'Rebalance', source: 'Agent', at: this.clock.now() } as const
    void this.notices.give(`default/${name}`, notice)
  }

  /** A list of a source came through. */
  showsNotices(over: Partial<ShownList> = {}): void {
    const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
    const up = new Set(['i-m1'])
    const begunAt = this.clock.now()
    this.shown.add({ source: 'SpotRequests', scope, begunAt, up, noticed: new Set(), over: [], ...over })
  }

  putPolicy(spec: object): void {
    const metadata = { namespace: 'default', name: 'p', creationTimestamp: '2026-01-01T00:00:00Z' }
    this.apiserver.put('InterruptionPolicy', { metadata, spec: { clusterName: 'c1', ...spec } } as never)
  }

  putSet(spec: object): void {
    this.apiserver.put('MachineSet', { metadata: { namespace: 'default', name: 'set', uid: 'set' }, spec } as never)
  }

  putMachine(name: string, metadata: object = {}, available: 'True' | 'False' = 'True'): void {
    const set = { apiVersion: group, kind: 'MachineSet', name: 'set', uid: 'set', controller: true }
    const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSMachine', name }
    this.apiserver.put('Machine', {
      metadata: { namespace: 'default', name, uid: name, finalizers: ['core'], ownerReferences: [set], ...metadata },
      spec: { clusterName: 'c1', infrastructureRef },
      status: { nodeRef: { name }, conditions: [this.#condition('Available', available, 0)] },
    } as never)
    this.putInfra(name)
  }

  /** `ranForMs`: for how long its instance has run. */
  putInfra(
    name: string,
    { ranForMs = hourMs, ready = 'True', reason = 'Running', handle = `i-${name}`, hasRun = true } = {},
  ): void {
    const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' }
    const startedAt = rfc3339(this.clock.now() - ranForMs)
    const offering = 'Spot:m5.large:us-east-1a'
    const attempt = { for: `default/${name}`, owner: 'o', n: 1, token: name, scope, startedAt, handle, offering }
    const owner = { apiVersion: group, kind: 'Machine', name, uid: name }
    this.apiserver.put('AWSMachine', {
      apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
      kind: 'AWSMachine',
      metadata: {
        namespace: 'default',
        name,
        creationTimestamp: startedAt,
        annotations: { [annotations.attempt]: JSON.stringify(attempt) },
        ownerReferences: [owner],
      },
      spec: {},
      status: {
        conditions: [
          { ...this.#condition('Ready', ready, ranForMs), reason },
          ...(hasRun ? [this.#condition('Provisioned', 'True', ranForMs)] : []),
        ],
      },
    } as never)
  }

  get machine(): Machine {
    return this.apiserver.get('Machine', 'default/m1') as unknown as Machine
  }

  /** What stands on the Machine. */
  get decided(): Interruption | undefined {
    const reading = readInterruption(this.machine)
    return reading.is === 'ours' ? reading.interruption : undefined
  }

  /** Of its events. */
  get reasons(): string[] {
    return this.events.map(({ reason }) => reason)
  }

  get isDeleting(): boolean {
    return this.machine.metadata.deletionTimestamp !== undefined
  }

  get isHooked(): boolean {
    return this.machine.metadata.annotations?.[core.preDrainHook] !== undefined
  }

  /** The kind of the object that controls the Machine. */
  get controller(): string | undefined {
    return this.machine.metadata.ownerReferences?.find(({ controller }) => controller === true)?.kind
  }

  /** Changes the annotations of the Machine, as a user does. Null: removes one. */
  annotate(change: Record<string, string | null>): void {
    const { metadata, ...rest } = this.machine
    const noted = Object.entries({ ...metadata.annotations, ...change }).filter(([, value]) => value !== null)
    this.apiserver.put('Machine', {
      ...rest,
      metadata: { ...metadata, annotations: Object.fromEntries(noted) },
    } as never)
  }

  #condition(type: string, status: string, agoMs: number): object {
    return { type, status, reason: type, message: '', lastTransitionTime: rfc3339(this.clock.now() - agoMs) }
  }
}
