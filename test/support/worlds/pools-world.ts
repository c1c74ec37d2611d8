import type { RefusalKind } from '../../../api/refusal.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import { writeInterruption } from '../../../api/interruption.ts'
import { annotations } from '../../../api/labels.ts'
import type { NoticeSource } from '../../../api/notice.ts'
import type { CapacityPool, CapacityPoolManager } from '../../../api/generated/capacity-pool.ts'
import { termsOf } from '../../../api/rules/policy.ts'
import { factsOf } from '../../../api/rules/group-facts.ts'
import { CapacityMemory } from '../../../controllers/capacity/memory.ts'
import type { Looked } from '../../../controllers/capacity/pool-sightings.ts'
import { PoolWriter } from '../../../controllers/capacity/pool-writer.ts'
import { CapacityPools } from '../../../controllers/capacity/pools.ts'
import { ApiError } from '../../../controllers/runtime/client/api-error.ts'
import type { ApplyOptions, DeleteOptions } from '../../../controllers/runtime/client/client.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { keptLog } from '../fakes/quiet-ctx.ts'

type Fields = Omit<Partial<CapacityPool>, 'metadata'> & { metadata: { name: string } }

/** The objects of the kind, as server-side apply keeps them: what a manager no longer writes is gone. */
export class PoolObjects {
  readonly objects = new Map<string, CapacityPool>()
  readonly writes: { name: string; subresource: string | undefined }[] = []
  refusal: ApiError | undefined
  /** Writes, also those that were refused. */
  tries = 0

  readonly client = {
    apply: async <T extends { metadata: object }>(_kind: unknown, object: T, options: ApplyOptions) => {
      this.tries++
      if (this.refusal) throw this.refusal
      const given = object as unknown as Fields
      this.#own(given, options)
      this.#apply(given, options.subresource)
      return object
    },
    delete: async (_kind: unknown, { name }: { name: string }, { resourceVersion }: DeleteOptions) => {
      if (this.refusal) throw this.refusal
      if (resourceVersion !== undefined && resourceVersion !== this.objects.get(name)?.metadata.resourceVersion) {
        throw new ApiError({ status: 409, reason: 'Conflict', message: 'the object has been modified' })
      }
      this.writes.push({ name, subresource: 'delete' })
      this.objects.delete(name)
    },
  }

  get = (name: string): CapacityPool | undefined => this.objects.get(name)

  readonly #owners = new Map<string, string>()

  /** The summary is one field of all managers. */
  #own({ metadata: { name }, status }: Fields, { fieldManager, force }: ApplyOptions): void {
    const owner = this.#owners.get(name) ?? fieldManager
    if (status && owner !== fieldManager && !force) {
      throw new ApiError({ status: 409, reason: 'Conflict', message: `Apply failed: conflict with "${owner}"` })
    }
    if (status) this.#owners.set(name, fieldManager)
  }

  #apply({ metadata: { name }, spec, status }: Fields, subresource: string | undefined): void {
    const before = this.objects.get(name)
    if (subresource === 'status' && !before) throw new ApiError({ status: 404, reason: 'NotFound', message: name })
    const entries = entriesWith(before?.status?.managers ?? [], status?.managers ?? [])
    this.writes.push({ name, subresource })
    this.objects.set(name, {
      ...before,
      metadata: { name, resourceVersion: String(this.writes.length) },
      ...(subresource === 'status' ? { status: { ...status, managers: entries } } : { spec }),
    } as CapacityPool)
  }
}

function entriesWith(before: readonly CapacityPoolManager[], applied: readonly CapacityPoolManager[]) {
  const given = new Set(applied.map(({ manager }) => manager))
  const entries = [...before.filter(({ manager }) => !given.has(manager)), ...applied]
  if (entries.length > 64) throw new ApiError({ status: 422, reason: 'Invalid', message: 'Too many entries' })
  return entries
}

/** One manager: what it has seen, and what it writes. */
export class PoolsWorld {
  readonly clock: FakeClock
  readonly objects: PoolObjects
  readonly log = keptLog()
  readonly woken = new Set<string>()
  readonly manager: string
  memory!: CapacityMemory
  pools!: CapacityPools
  writer!: PoolWriter

  constructor(manager = 'capspot-system/one', shared: { objects?: PoolObjects; clock?: FakeClock } = {}) {
    this.manager = manager
    this.objects = shared.objects ?? new PoolObjects()
    this.clock = shared.clock ?? new FakeClock()
    this.restart()
  }

  get now(): number {
    return this.clock.now()
  }

  /** Another process, which reads the objects. */
  restart(): void {
    const { manager, objects } = this
    this.memory = new CapacityMemory(() => {})
    this.pools = new CapacityPools({ manager, memory: this.memory, wake: (name) => this.woken.add(name) })
    this.writer = new PoolWriter({ client: objects.client, objects, pools: this.pools, manager })
    const known = [...objects.objects.values()]
    this.writer.restore(known)
    this.pools.restore(known, this.now)
  }

  look(machines: readonly Looked[], cluster = 'default/c1'): void {
    this.pools.look(cluster, machines, this.now)
    this.memory.record(factsOf(machines.map(({ outcome }) => outcome)), { cluster, now: this.now })
  }

  /** As the queue does with a name that was woken, or whose time has come. */
  async pass(): Promise<void> {
    const ctx = { clock: this.clock, log: this.log, signal: new AbortController().signal }
    for (const name of new Set([...this.woken, ...this.objects.objects.keys()])) await this.writer.reconcile(name, ctx)
    this.woken.clear()
  }

  /** A person does it, and the watch shows it. */
  delete(name: string): void {
    this.objects.objects.delete(name)
    this.writer.gone(name)
    this.pools.forget(name, this.now)
  }

  entry(manager = this.manager): CapacityPoolManager | undefined {
    const [object] = this.objects.objects.values()
    return object?.status?.managers?.find((one) => one.manager === manager)
  }

  get name(): string {
    const [name = ''] = this.objects.objects.keys()
    return name
  }
}

export interface Shown {
  readonly type?: string
  readonly account?: string
  /** Of its infra machine. */
  readonly spec?: object
  readonly requestedAt: number
}

const group = (type: string, account: string) => `pool aws/default/${account}/us-east-1 Spot:${type}:us-east-1a`
export const poolGroupOf = (type = 'm5.large', account = '1') => group(type, account)

function machineOf(name: string, shown: Shown, ready: object): Pick<Looked, 'machine' | 'infra' | 'terms'> {
  const { type = 'm5.large', account = '1', requestedAt } = shown
  const scope = { cloud: 'aws', identity: 'default', account, region: 'us-east-1' }
  const offering = `Spot:${type}:us-east-1a`
  const startedAt = rfc3339(requestedAt)
  const attempt = {
    for: `default/${name}`,
    owner: 'o',
    n: 1,
    token: name,
    scope,
    startedAt,
    offering,
    handle: `i-${name}`,
  }
  const metadata = { namespace: 'default', name }
  const infra = {
    metadata: { ...metadata, annotations: { [annotations.attempt]: JSON.stringify(attempt) } },
    spec: shown.spec ?? {},
    status: { conditions: [{ type: 'Ready', message: '', ...ready }] },
  }
  return { machine: { metadata, spec: { clusterName: 'c1' } }, infra, terms: termsOf() } as never
}

export function refused(name: string, at: number, shown: Omit<Shown, 'requestedAt'> = {}): Looked {
  const reason = 'InsufficientCapacity' as const
  const ready = { status: 'False', reason, lastTransitionTime: rfc3339(at) }
  const requestedAt = at - 1_000
  const outcome = {
    is: 'failed',
    group: group(shown.type ?? 'm5.large', shown.account ?? '1'),
    at,
    cameUp: false,
    reason,
    requestedAt,
  } as const
  return { ...machineOf(name, { ...shown, requestedAt }, ready), outcome }
}

/** It was refused one offering, and runs in another. */
export function fellBack(
  name: string,
  refusedAt: number,
  at: number,
  types: { from: string; to: string; kind?: RefusalKind },
): Looked {
  const looked = running(name, at, { type: types.to })
  const [[key, text] = ['', '{}']] = Object.entries(looked.infra?.metadata.annotations ?? {})
  const triedAt = rfc3339(refusedAt)
  const tried = [
    { offering: `Spot:${types.from}:us-east-1a`, rung: 0, kind: types.kind ?? 'capacity', code: 'C', at: triedAt },
  ]
  const annotations = { [key]: JSON.stringify({ ...(JSON.parse(text) as object), tried, triedCount: 1 }) }
  const { infra } = looked
  return { ...looked, infra: infra && { ...infra, metadata: { ...infra.metadata, annotations } } }
}

export function running(name: string, at: number, shown: Omit<Shown, 'requestedAt'> = {}): Looked {
  const requestedAt = at - 1_000
  const ready = { status: 'True', reason: 'Running', lastTransitionTime: rfc3339(at) }
  const groups = [group(shown.type ?? 'm5.large', shown.account ?? '1')]
  return { ...machineOf(name, { ...shown, requestedAt }, ready), outcome: { is: 'serving', groups, requestedAt, at } }
}

/** It runs, and a notice says that its instance is taken back. */
export function announced(name: string, began: number, notice: { source: NoticeSource; at: number }): Looked {
  const looked = running(name, began)
  const interruption = {
    for: `default/${name}`,
    instance: `i-${name}`,
    kind: 'Spot',
    source: notice.source,
    at: rfc3339(notice.at),
    act: 'Tell',
  } as const
  const metadata = { ...looked.machine.metadata, annotations: writeInterruption(interruption) }
  return { ...looked, machine: { ...looked.machine, metadata } }
}

export function interrupted(name: string, at: number): Looked {
  const ready = { status: 'False', reason: 'Interrupted', lastTransitionTime: rfc3339(at) }
  return { ...machineOf(name, { requestedAt: at - 60_000 }, ready), outcome: { is: 'over', reason: 'Interrupted' } }
}
