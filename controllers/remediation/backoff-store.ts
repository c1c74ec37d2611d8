import {
  fittingBackoff,
  readBackoff,
  readOldBackoff,
  writeBackoff,
  type Backoff,
} from '../../api/rules/backoff-annotation.ts'
import type { Ctx } from '../../api/ctx.ts'
import { machineDeployments, machineSets, spotGroup, spotKind } from '../../api/kinds.ts'
import { annotations } from '../../api/labels.ts'
import type { Cluster } from '../../api/machine.ts'
import type { Resource } from '../../api/meta.ts'
import type { BackoffGroup } from '../../api/rules/backoff-group.ts'
import { isNotFound } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import { keyOf, parseKey, type ObjectRef } from '../runtime/client/resource.ts'

interface Target {
  readonly resource: Resource
  readonly ref: ObjectRef
}

interface Known {
  /** The text of the annotation, as far as it is known. */
  readonly text: string | undefined
  readonly backoff: Backoff
}

/** The kinds that held backoff before the infrastructure cluster did. */
const oldKinds: Readonly<Record<string, Resource>> = {
  MachineDeployment: machineDeployments,
  MachineSet: machineSets,
}

/**
 * Stores the backoff of each Cluster in an annotation of its infrastructure cluster. It is read once, when the first
 * Machine of the Cluster fails, and written before the manager acts on a change. It counts for this Cluster alone.
 */
export class BackoffStore {
  readonly #client: KubeClient
  readonly #known = new Map<string, Known>()

  constructor(client: KubeClient) {
    this.#client = client
  }

  /**
   * Reads the backoff once. `policyKeys` has the policy of each owner of Machines, for backoff that still stands on
   * that owner.
   */
  async read(cluster: Cluster, policyKeys: ReadonlyMap<string, string>, ctx: Ctx): Promise<void> {
    const key = keyOf(cluster)
    if (this.#known.has(key)) return
    const text = await this.#textAt(targetOf(cluster), ctx)
    const backoff = text === undefined ? await this.#readOld(policyKeys, ctx) : readBackoff(text)
    this.#known.set(key, { text, backoff })
  }

  /** Empty until it is read. */
  of(cluster: string): Backoff {
    return this.#known.get(cluster)?.backoff ?? new Map()
  }

  /** Does nothing before the first read, because it would overwrite what is stored. */
  async write(cluster: Cluster, backoff: Backoff, ctx: Ctx): Promise<void> {
    const key = keyOf(cluster)
    const known = this.#known.get(key)
    if (!known) return
    const text = writeBackoff(backoff)
    const target = targetOf(cluster)
    const isWritten = known.text === text || (target !== undefined && (await this.#put(target, text, ctx)))
    this.#known.set(key, { text: isWritten ? text : undefined, backoff: fittingBackoff(backoff) })
  }

  /** Another manager may have the Cluster meanwhile and change its backoff, so the next pass reads it again. */
  forget(cluster: string): void {
    this.#known.delete(cluster)
  }

  async #textAt(target: Target | undefined, ctx: Ctx): Promise<string | undefined> {
    const object = target && (await this.#client.get(target.resource, target.ref, ctx).catch(noneIfGone))
    return object?.metadata.annotations?.[annotations.backoff]
  }

  async #put({ resource, ref }: Target, text: string | undefined, ctx: Ctx): Promise<boolean> {
    const patch = { metadata: { annotations: { [annotations.backoff]: text ?? null } } }
    return (await this.#client.mergePatch(resource, ref, { patch }, ctx).catch(noneIfGone)) !== undefined
  }

  async #readOld(policyKeys: ReadonlyMap<string, string>, ctx: Ctx): Promise<Backoff> {
    const backoff = new Map<string, Map<string, BackoffGroup>>()
    for (const [owner, policyKey] of policyKeys) {
      const [kind = '', key = ''] = owner.split(' ')
      const resource = oldKinds[kind]
      const text = await this.#textAt(resource && { resource, ref: parseKey(key) }, ctx)
      const groups = backoff.get(policyKey) ?? new Map<string, BackoffGroup>()
      for (const [name, group] of readOldBackoff(text)) groups.set(name, group)
      backoff.set(policyKey, groups)
    }
    return backoff
  }
}

/** A Cluster without an infrastructure cluster of ours has its backoff in memory only. */
function targetOf({ metadata, spec }: Cluster): Target | undefined {
  const ref = spec.infrastructureRef
  if (ref?.apiGroup !== spotGroup || !/^[A-Za-z]+Cluster$/.test(ref.kind)) return undefined
  return { resource: spotKind(ref.kind), ref: { namespace: metadata.namespace, name: ref.name } }
}

function noneIfGone(thrown: unknown): undefined {
  if (!isNotFound(thrown)) throw thrown
}
