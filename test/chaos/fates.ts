import { machines } from '../../api/kinds.ts'
import { machineLabels } from '../../api/labels.ts'
import type { Machine } from '../../api/machine.ts'
import type { Change } from '../../controllers/runtime/cache/cache.ts'
import { watchAll } from '../integration/rigs/machine-watch.ts'
import { ofMachine, ofPod } from './point.ts'
import { isTrue, type Place } from './members.ts'

interface Fate {
  readonly name: string
  /** At some time it was to be replaced, because its launch or its instance had failed. */
  readonly wasDue: boolean
  readonly isGone: boolean
}

export type Fates = ReadonlyMap<string, Fate>

/** Follows each Machine of the herd, event by event, so that none comes and goes between two looks. */
export async function followFates(
  place: Pick<Place, 'lab' | 'namespace'>,
): Promise<AsyncDisposable & { readonly fates: Fates }> {
  const { cache, end } = await watchAll<Machine>(machines, place)
  const fates = new Map<string, Fate>()
  for (const after of cache.list()) follow(fates, { after })
  cache.onChange((change) => follow(fates, change))
  return { fates, [Symbol.asyncDispose]: end }
}

export function follow(fates: Map<string, Fate>, { before, after }: Pick<Change<Machine>, 'before' | 'after'>): void {
  for (const machine of [before, after]) {
    if (!machine || !isTrue(machine)) continue
    const { uid = '', name, labels } = machine.metadata
    const isDue = labels?.[machineLabels.remediationDue] !== undefined
    const wasDue = fates.get(uid)?.wasDue === true || isDue
    // Another one of the same name may have come in between.
    fates.set(uid, { name, wasDue, isGone: after?.metadata.uid !== uid })
  }
}

export interface Ends {
  readonly fates: Fates
  /** The names by uid of the Machines whose instances were announced to end, or taken back. */
  readonly announced: ReadonlyMap<string, string>
  /** The uids of the Machines that users deleted. */
  readonly deleted: ReadonlySet<string>
  /** Pods that a PodDisruptionBudget holds and that nothing has deleted. */
  readonly uncalled: readonly string[]
  /** Nodes of Machines that serve, with the taint of an interruption. */
  readonly tainted: readonly string[]
}

/**
 * The laws of a replacement ahead, when all has settled and as many Machines run as are wanted. Then one replacement
 * too many, or one Machine taken by mistake, is a Machine that went without a cause.
 */
export function wrongEnds({ fates, announced, deleted, uncalled, tainted }: Ends): readonly string[] {
  const all = [...fates]
  const stayed = all.filter(([uid, { isGone }]) => !isGone && announced.has(uid))
  const causeless = all.filter(
    ([uid, { isGone, wasDue }]) => isGone && !wasDue && !announced.has(uid) && !deleted.has(uid),
  )
  return [
    ...stayed.map(([, { name }]) => `Machine ${name}: it is still there after its notice`),
    ...causeless.map(([, { name }]) => `Machine ${name}: it went, and nobody announced, deleted or found it failed`),
    ...uncalled.map((name) => `Pod ${name}: nobody deleted it before its instance ended`),
    ...tainted.map((name) => `Node ${name}: it serves, and has the taint of an interruption`),
  ]
}

export interface Allowed {
  readonly machines: Iterable<string>
  readonly pods: Iterable<string>
}

/** The paths of the Machines and Pods that the manager tried to delete and had no reason to. */
export function strayDeletes(paths: readonly string[], allowed: Allowed): readonly string[] {
  const [ours, held] = [new Set(allowed.machines), new Set(allowed.pods)]
  return paths.filter((path) => {
    const name = path.split('?')[0]?.split('/').at(-1) ?? ''
    return (ofMachine.test(path) && !ours.has(name)) || (ofPod.test(path) && !held.has(name))
  })
}
