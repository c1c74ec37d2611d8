import { readAttempt } from '../../api/attempt.ts'
import type { Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { InfraCluster, InfraMachine } from '../../api/machine.ts'
import type { ClusterReason, EventReason } from '../../api/reasons.ts'
import { inSentence } from '../../api/sentence.ts'
import { judgeSweep, orphansAmong, type ClaimingMachine, type OwnedInstance } from '../../api/rules/orphans.ts'
import type { Cloud } from '../../providers/cloud.ts'
import { CloudError } from '../../providers/errors.ts'
import type { Fleet } from '../../providers/fleet/fleet.ts'
import type { Instance, MachineDigest } from '../../providers/instances.ts'
import { machineMark, namespaceMark } from '../../providers/ownership.ts'
import { turnAfterMs } from '../../providers/wire/limiter.ts'
import { Pauses } from '../machine/pauses.ts'
import type { Cache } from '../runtime/cache.ts'
import type { Recorder } from '../runtime/events.ts'
import { pagesOf } from '../runtime/pages.ts'
import { keyOf } from '../runtime/resource.ts'
import type { ClusterDeps } from './deps.ts'

/** Nothing is swept so soon after this process began to lead: what it does not know yet may be on its way. */
const quietStartMs = 10 * 60_000
/** How long this process must have known an instance without a machine. */
const suspectForMs = 5 * 60_000

export interface SweepDeps extends Pick<ClusterDeps, 'client' | 'machineResource' | 'cloud' | 'fleetOf'> {
  readonly infraMachines: Cache<InfraMachine>
  readonly recorder: Recorder
  readonly orphans: 'Terminate' | 'Report'
}

/**
 * Ends instances that belong to no machine: the most dangerous thing that we do. A cheap look at the caches comes
 * first; only what stays suspect for minutes is looked at again in full, by two complete lists of the cloud and, after
 * them, a fresh list of all infra machines of the namespace, past every cache and filter.
 */
export class OrphanSweep {
  readonly #deps: SweepDeps
  readonly #begunAt: number
  /** By owner id: since when which of its instances are suspect, by the clock of this process. */
  #suspects = new Map<string, ReadonlyMap<string, number>>()
  /** By owner id: what was said when the cloud last refused to end one, and when it may be asked again. */
  #refusals = new Map<string, Verdict<ClusterReason>>()
  readonly #pauses = new Pauses()

  constructor(deps: SweepDeps, { clock }: Pick<Ctx, 'clock'>) {
    this.#deps = deps
    this.#begunAt = clock.monotonic()
  }

  /** What the condition OrphansFound is to say; False when there is nothing to tell. */
  async run(object: InfraCluster, ownerId: string, ctx: Ctx): Promise<Verdict<ClusterReason>> {
    const cloud = await this.#deps.cloud()
    const fleet = this.#deps.fleetOf(cloud.scopeOf(object), cloud, keyOf(object))
    const now = ctx.clock.monotonic()
    const due = this.#dueSuspects(fleet, ownerId, now)
    if (due.size === 0 || now - this.#begunAt < quietStartMs) return noOrphans
    const refusal = this.#refusals.get(ownerId)
    if (refusal && this.#pauses.rest(ownerId, now) > 0) return refusal
    const { namespace } = object.metadata
    const alive = await this.#twiceListed(fleet, ownerId, ctx)
    const claims = await this.#claims(namespace, ctx)
    const orphans = orphansAmong(alive.map(toOwned), claims).filter(
      ({ id, machine }) => due.has(id) && machine.startsWith(namespaceMark(namespace)),
    )
    if (orphans.length === 0) return noOrphans
    const verdict = judgeSweep({ orphans, instances: alive.length, mode: this.#deps.orphans })
    if ('report' in verdict) return { status: 'True', reason: 'OrphansFound', message: verdict.report }
    const refused = await this.#endAll(cloud, { object, ownerId, orphans: verdict.terminate }, ctx)
    fleet.hurry()
    return refused ?? noOrphans
  }

  /** One that the cloud refuses to end is said to be there, and the cloud is left in peace for a while. */
  async #endAll(
    cloud: Cloud,
    { object, ownerId, orphans }: { object: InfraCluster; ownerId: string; orphans: readonly OwnedInstance[] },
    ctx: Ctx,
  ): Promise<Verdict<ClusterReason> | undefined> {
    for (const orphan of orphans) {
      try {
        await this.#end(cloud, { object, ownerId, orphan }, ctx)
      } catch (thrown) {
        if (!(thrown instanceof CloudError) || turnAfterMs(thrown) !== undefined) throw thrown
        this.#pauses.refused(ownerId, { nowMs: ctx.clock.monotonic(), atLeastMs: thrown.retryAfterMs ?? 0 })
        const message = `Instance ${orphan.id} belongs to no machine and cannot be ended yet (${inSentence(thrown)}). It is asked for again.`
        const verdict = { status: 'True', reason: 'OrphansFound', message } as const
        this.#refusals.set(ownerId, verdict)
        return verdict
      }
    }
    this.#pauses.clear(ownerId)
    this.#refusals.delete(ownerId)
    return undefined
  }

  /** By the caches, without a call. Notes since when each is suspect, and forgets those that are no longer. */
  #dueSuspects(fleet: Fleet, ownerId: string, now: number): ReadonlySet<string> {
    const before = this.#suspects.get(ownerId)
    const machines = this.#deps.infraMachines.list().map(toClaim)
    const suspects = orphansAmong(fleet.ownedBy(ownerId).map(toOwned), machines)
    const since = new Map(suspects.map(({ id }) => [id, before?.get(id) ?? now]))
    this.#suspects.set(ownerId, since)
    return new Set([...since].filter(([, at]) => now - at >= suspectForMs).map(([id]) => id))
  }

  async #twiceListed(fleet: Fleet, ownerId: string, ctx: Ctx): Promise<Instance[]> {
    const first = new Set((await fleet.aliveOf(ownerId, ctx)).map(({ id }) => id))
    return (await fleet.aliveOf(ownerId, ctx)).filter(({ id, state }) => first.has(id) && state !== 'terminating')
  }

  /** Fresh and whole: neither a cache nor --watch-filter may hide a machine from this. */
  async #claims(namespace: string, ctx: Ctx): Promise<ClaimingMachine[]> {
    const { client, machineResource } = this.#deps
    const claims: ClaimingMachine[] = []
    for await (const page of pagesOf<InfraMachine>(client, machineResource, { namespace, pageSize: 500 }, ctx)) {
      claims.push(...page.items.map(toClaim))
    }
    return claims
  }

  async #end(
    cloud: Cloud,
    { object, ownerId, orphan }: { object: InfraCluster; ownerId: string; orphan: OwnedInstance },
    ctx: Ctx,
  ): Promise<void> {
    const { id, name, machine, token } = orphan
    ctx.log.warn('Ending an orphan', { instance: id, name })
    await cloud.instances.terminate(
      {
        scope: cloud.scopeOf(object),
        mark: { owner: ownerId, machine: machine as MachineDigest, token },
        id,
        ...(name === undefined ? {} : { name }),
      },
      ctx,
    )
    const message = `Instance ${id}${name === undefined ? '' : ` (${name})`} belonged to no machine any more and is ended.`
    const reason: EventReason = 'OrphanEnded'
    this.#deps.recorder.event({ object, type: 'Warning', reason, message }, ctx)
  }
}

const noOrphans: Verdict<ClusterReason> = {
  status: 'False',
  reason: 'NoOrphans',
  message: 'Every instance of this cluster belongs to a machine.',
}

function toOwned({ id, name, mark }: Instance): OwnedInstance {
  return { id, ...(name === undefined ? {} : { name }), machine: mark?.machine ?? '', token: mark?.token ?? '' }
}

function toClaim(machine: InfraMachine): ClaimingMachine {
  const reading = readAttempt(machine)
  return {
    machine: machineMark(keyOf(machine)),
    token: reading.is === 'ours' ? reading.attempt.token : undefined,
    providerID: machine.spec.providerID,
  }
}
