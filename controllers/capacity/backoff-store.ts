import { readBackoff, readOldBackoff, writeBackoff, type Backoff } from '../../api/rules/backoff-annotation.ts'
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

/** The kinds that held backoff before the infrastructure cluster did. */
const oldKinds: Readonly<Record<string, Resource>> = {
  MachineDeployment: machineDeployments,
  MachineSet: machineSets,
}

/**
 * Loads the backoff of a Cluster from an annotation of its infrastructure cluster, and saves it there. The memory of
 * capacity has the backoff itself. It counts for this Cluster alone.
 */
export class BackoffStore {
  readonly #client: KubeClient
  /** The text of the annotation of each loaded Cluster, as far as it is known. */
  readonly #texts = new Map<string, string | undefined>()

  constructor(client: KubeClient) {
    this.#client = client
  }

  /** `policyKeys` has the policy of each owner of Machines, for backoff that still stands on that owner. */
  async load(cluster: Cluster, policyKeys: ReadonlyMap<string, string>, ctx: Ctx): Promise<Backoff> {
    const text = await this.#textAt(targetOf(cluster), ctx)
    const backoff = text === undefined ? await this.#readOld(policyKeys, ctx) : readBackoff(text)
    this.#texts.set(keyOf(cluster), text)
    return backoff
  }

  /** Does nothing before the first load, because it would overwrite what is stored. */
  async save(cluster: Cluster, backoff: Backoff, ctx: Ctx): Promise<void> {
    const key = keyOf(cluster)
    if (!this.#texts.has(key)) return
    const text = writeBackoff(backoff)
    if (this.#texts.get(key) === text) return
    const target = targetOf(cluster)
    const isWritten = target !== undefined && (await this.#put(target, text, ctx))
    this.#texts.set(key, isWritten ? text : undefined)
  }

  forget(cluster: string): void {
    this.#texts.delete(cluster)
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
