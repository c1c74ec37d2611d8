import { readBackoff, writeBackoff } from '../../api/backoff.ts'
import type { Ctx } from '../../api/ctx.ts'
import { machineDeployments, machineSets } from '../../api/kinds.ts'
import { annotations } from '../../api/labels.ts'
import type { Resource } from '../../api/meta.ts'
import type { Lane, Pace } from '../../api/rules/lanes.ts'
import { isNotFound } from '../runtime/api-error.ts'
import type { KubeClient } from '../runtime/client.ts'
import { parseKey, type ObjectRef } from '../runtime/resource.ts'

const kinds: Readonly<Record<string, Resource>> = {
  MachineDeployment: machineDeployments,
  MachineSet: machineSets,
}

/** A MachineDeployment or MachineSet, and the key of its Cluster. */
interface Owner {
  readonly owner: string
  readonly cluster: string
}

/**
 * The lanes of each owner in an annotation of it: read once, when the first of its machines fails, and written before
 * anybody acts on what changed. A Machine of its own has no such place: nobody replaces it.
 */
export class Ledgers {
  readonly #client: KubeClient
  /** What stands there, as far as we know. */
  readonly #known = new Map<string, { cluster: string; text: string | undefined; names: readonly string[] }>()

  constructor(client: KubeClient) {
    this.#client = client
  }

  /** The lanes of this owner, where they have not been read yet. */
  async read({ owner, cluster }: Owner, pace: Pace, ctx: Ctx): Promise<ReadonlyMap<string, Lane>> {
    const place = placeOf(owner)
    if (!place || this.#known.has(owner)) return new Map()
    const object = await this.#client.get(place.resource, place.ref, ctx).catch(noneIfGone)
    const text = object?.metadata.annotations?.[annotations.backoff]
    const lanes = readBackoff(text, { now: ctx.clock.now(), pace })
    this.#known.set(owner, { cluster, text, names: [...lanes.keys()] })
    return lanes
  }

  /** Of the lanes that stand there. */
  namesOf(owner: string): readonly string[] {
    return this.#known.get(owner)?.names ?? []
  }

  async write({ owner, cluster }: Owner, lanes: ReadonlyMap<string, Lane>, ctx: Ctx): Promise<void> {
    const place = placeOf(owner)
    const text = writeBackoff(lanes)
    if (!place || this.#known.get(owner)?.text === text) return
    const patch = { metadata: { annotations: { [annotations.backoff]: text ?? null } } }
    const written = await this.#client.mergePatch(place.resource, place.ref, { patch }, ctx).catch(noneIfGone)
    if (written) this.#known.set(owner, { cluster, text, names: [...lanes.keys()] })
    else this.#known.delete(owner)
  }

  /**
   * Only these owners have Machines in the Cluster; another that comes under the name of one that went is read anew.
   */
  retain(cluster: string, owners: ReadonlySet<string>): void {
    for (const [owner, known] of this.#known) {
      if (known.cluster === cluster && !owners.has(owner)) this.#known.delete(owner)
    }
  }

  /** Others may have it now, and bring it back with what they remember: it is read anew. */
  forget(cluster: string): void {
    this.retain(cluster, new Set())
  }
}

function placeOf(owner: string): { resource: Resource; ref: ObjectRef } | undefined {
  const [kind = '', key = ''] = owner.split(' ')
  const resource = kinds[kind]
  return resource && { resource, ref: parseKey(key) }
}

function noneIfGone(thrown: unknown): undefined {
  if (!isNotFound(thrown)) throw thrown
}
