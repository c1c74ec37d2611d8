import type { Ctx } from '../../api/ctx.ts'
import { pods } from '../../api/kinds.ts'
import { isPaused, type Machine, type Pod } from '../../api/machine.ts'
import type { EventReason } from '../../api/reasons.ts'
import { firstLookAt, lastCall, lastCallDeadline } from '../../api/rules/interruption/last-call.ts'
import { isConflict, isForbidden, isNotFound } from '../runtime/client/api-error.ts'
import type { KubeClient } from '../runtime/client/client.ts'
import type { Result } from '../runtime/controller/result.ts'
import { watching } from '../runtime/cache/watching.ts'
import { runWatched, type Run } from '../runtime/controller/run-watched.ts'
import { changed } from '../shared/changes.ts'
import { isOfWorkload, type WorkloadClients } from '../workload/clients.ts'
import { WorkloadBusy } from '../workload/turns.ts'
import type { InterruptionDeps } from './deps.ts'
import { interruptionOf, isOver, sceneOf } from './scene.ts'

export interface LastCallDeps extends InterruptionDeps {
  readonly workloads: Pick<WorkloadClients, 'with'>
}

/** A workload cluster that does not answer is asked again until the deadline. */
const askAgainMs = 5_000
/** A person has to grant it. */
const refusedMs = 30_000
/** A Pod has some kilobytes, and one answer may have four megabytes. */
const pageSize = 50

/**
 * Deletes Pods that nothing has evicted when only their grace period is left. It has a queue of its own: a workload
 * cluster that does not answer delays no notice.
 */
export async function runLastCalls(deps: LastCallDeps, { name, run }: { name: string; run: Run }, ctx: Ctx) {
  const calls = new LastCalls(deps)
  const watches = [watching(deps.machines, (change) => changed(change).filter((key) => calls.isAwaited(key)))]
  const reconcile = (key: string, passCtx: Ctx) => calls.reconcile(key, passCtx)
  await runWatched({ name, kind: 'Machine', ...run, reconcile, watches }, ctx)
}

class LastCalls {
  readonly #deps: LastCallDeps
  /** When the Pods of a Machine are looked at next. Infinity: none is left. */
  readonly #nextAt = new Map<string, number>()
  /** Clusters of which it was said that we may not delete Pods there. */
  readonly #refusing = new Set<string>()

  constructor(deps: LastCallDeps) {
    this.#deps = deps
  }

  isAwaited(key: string): boolean {
    const machine = this.#deps.machines.get(key)
    return this.#nextAt.has(key) || (machine !== undefined && this.#deadlineOf(machine) !== undefined)
  }

  async reconcile(key: string, ctx: Ctx): Promise<Result> {
    const machine = this.#deps.machines.get(key)
    const deadline = machine && this.#deadlineOf(machine)
    const now = ctx.clock.now()
    if (!machine || deadline === undefined || now >= deadline) {
      this.#nextAt.delete(key)
      return 'done'
    }
    const nextAt = this.#nextAt.get(key) ?? firstLookAt(machine, deadline)
    const lookAt = now < nextAt ? nextAt : await this.#look(machine, deadline, ctx)
    this.#nextAt.set(key, lookAt)
    if (lookAt === Infinity) return 'done'
    return { requeueAfterMs: lookAt - now, reason: 'a Pod may have to be deleted then' }
  }

  #deadlineOf(machine: Machine): number | undefined {
    const scene = sceneOf(machine, this.#deps)
    if (isOver(scene) || isPaused(machine, scene.cluster) || !machine.status?.nodeRef) return undefined
    return lastCallDeadline(machine, interruptionOf(scene))
  }

  /** Returns when to look again. */
  async #look(machine: Machine, deadline: number, ctx: Ctx): Promise<number> {
    const { namespace } = machine.metadata
    const cluster = { namespace, name: machine.spec.clusterName }
    const node = machine.status?.nodeRef?.name ?? ''
    try {
      const call = (client: KubeClient, own: Ctx) => endHeld({ node, deadline }, client, own)
      return (await this.#deps.workloads.with(cluster, call, ctx, `last call of ${machine.metadata.name}`)) ?? Infinity
    } catch (thrown) {
      if (!isOfWorkload(thrown)) throw thrown
      if (isForbidden(thrown)) return this.#refused(machine, thrown, ctx)
      ctx.log.info('Pods not looked at before the end of an instance', { node, reason: thrown.message })
      return ctx.clock.now() + (thrown instanceof WorkloadBusy ? thrown.retryAfterMs : askAgainMs)
    }
  }

  /** It is said once for a Cluster, however many of its Nodes are taken. */
  #refused(machine: Machine, { message: why }: Error, ctx: Ctx): number {
    const { clusters, recorder } = this.#deps
    const cluster = `${machine.metadata.namespace}/${machine.spec.clusterName}`
    const { infra } = sceneOf(machine, this.#deps)
    const askAgainAt = ctx.clock.now() + refusedMs
    if (this.#refusing.has(cluster) || !infra) return askAgainAt
    for (const known of this.#refusing) if (!clusters.get(known)) this.#refusing.delete(known)
    this.#refusing.add(cluster)
    ctx.log.warn('The manager may not delete Pods before the end of their instance', { Cluster: cluster, reason: why })
    const reason: EventReason = 'PodsNotDeleted'
    const message =
      'The manager may not list and delete Pods of this workload cluster. ' +
      'Those that a PodDisruptionBudget holds end with their instance, without a SIGTERM. Grant it.'
    recorder.event({ object: infra, type: 'Warning', reason, message }, ctx)
    return askAgainAt
  }
}

async function endHeld(
  { node, deadline }: { node: string; deadline: number },
  client: KubeClient,
  ctx: Ctx,
): Promise<number | undefined> {
  const { due, nextAt } = lastCall(await podsOf(node, client, ctx), { deadline, now: ctx.clock.now() })
  for (const { metadata } of due) {
    const { namespace, name, uid } = metadata
    try {
      await client.delete(pods, { namespace, name }, { uid }, ctx)
      ctx.log.info('Pod deleted before the end of its instance', { node, Pod: `${namespace}/${name}` })
    } catch (thrown) {
      if (!isNotFound(thrown) && !isConflict(thrown)) throw thrown
    }
  }
  return nextAt
}

async function podsOf(node: string, client: KubeClient, ctx: Ctx): Promise<readonly Pod[]> {
  const all: Pod[] = []
  let next: string | undefined
  do {
    const fieldSelector = `spec.nodeName=${node}`
    const page = await client.list<Pod>(pods, { fieldSelector, limit: pageSize, continue: next }, ctx)
    all.push(...page.items)
    next = page.continue
  } while (next !== undefined)
  return all
}
