import { findCondition } from '../../../api/conditions.ts'
import { machines } from '../../../api/kinds.ts'
import { core } from '../../../api/labels.ts'
import type { Machine } from '../../../api/machine.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'
import { createCache, type Cache } from '../../../controllers/runtime/cache/cache.ts'
import type { Lab } from '../../lab/lab.ts'

interface Place {
  readonly lab: Lab
  readonly namespace: string
}

/** What became of the Machines of a namespace, event by event, so that nothing is missed between two looks. */
export interface MachineWatch extends AsyncDisposable {
  readonly machines: Cache<Machine>
  /** The names of those that were created since. */
  readonly made: ReadonlySet<string>
  /** The names of those that a MachineSet controlled again after the Cluster did. */
  readonly back: ReadonlySet<string>
  /** The fewest that served at any time since. */
  least(): number
}

export async function watchMachines(place: Place): Promise<MachineWatch> {
  const { cache, end } = await watchAll<Machine>(machines, place)
  const made = new Set<string>()
  const back = new Set<string>()
  const detached = new Set(cache.list().filter(isDetached).map(nameOf))
  const serving = () => cache.list().filter(serves).length
  let least = serving()
  cache.onChange(({ before, after }) => {
    least = Math.min(least, serving())
    if (!after) return
    if (!before) made.add(nameOf(after))
    if (isDetached(after)) detached.add(nameOf(after))
    else if (detached.has(nameOf(after))) back.add(nameOf(after))
  })
  return { machines: cache, made, back, least: () => least, [Symbol.asyncDispose]: end }
}

/** A cache of all objects of a kind in the namespace, whole, and a function that ends it. */
export async function watchAll<T extends KubeObject>(
  resource: Resource,
  { lab, namespace }: Place,
): Promise<{ cache: Cache<T>; end: () => Promise<void> }> {
  const cache = createCache<T>({ client: lab.client, resource, namespace, project: (raw) => raw as T })
  const ending = new AbortController()
  const ctx = { ...lab.ctx, signal: AbortSignal.any([lab.ctx.signal, ending.signal]) }
  const running = cache.run(ctx)
  await cache.synced(ctx)
  return {
    cache,
    async end() {
      ending.abort(new Error('The test is over.'))
      await running
    },
  }
}

export function isAvailable({ metadata, status }: Machine): boolean {
  return metadata.deletionTimestamp === undefined && findCondition(status?.conditions, 'Available')?.status === 'True'
}

/** Our hook holds it: core has not begun to drain its Node. */
export function isAtHook({ metadata }: Machine): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.annotations?.[core.preDrainHook] !== undefined
}

function serves(machine: Machine): boolean {
  return isAvailable(machine) || isAtHook(machine)
}

/** The Cluster is its controller, so no MachineSet counts it. */
export function isDetached({ metadata }: Machine): boolean {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)?.kind === 'Cluster'
}

export function nameOf({ metadata }: KubeObject): string {
  return metadata.name
}
