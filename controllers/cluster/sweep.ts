import { findCondition, type Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { InfraCluster, InfraMachine } from '../../api/machine.ts'
import type { ClusterReason, EventReason } from '../../api/reasons.ts'
import { inSentence } from '../../api/sentence.ts'
import {
  instancesUnseen,
  isOfAnotherManager,
  judgeSweep,
  named,
  orphansAmong,
  seenUntil,
  unseenAfterMs,
  type ClaimingMachine,
  type OwnedInstance,
} from '../../api/rules/orphans.ts'
import type { Cloud } from '../../providers/cloud.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { Fleet } from '../../providers/fleet/fleet.ts'
import type { Instance } from '../../api/instance.ts'
import { namespaceDigest } from '../../providers/shared/ownership.ts'
import { turnAfterMs } from '../../providers/wire/limiter.ts'
import type { AttemptTokens } from '../shared/attempt-tokens.ts'
import { Backoff } from '../shared/backoff.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import { keyOf } from '../runtime/client/resource.ts'
import { everyMachine, isOwned, toClaim } from './claims.ts'
import type { ClusterDeps } from './deps.ts'

/**
 * For this long after the process began to lead nothing is swept: machines that it does not know yet may still appear.
 */
const quietStartMs = 10 * 60_000
/** An instance must have been without a machine for this long, as seen by this process. */
const suspectForMs = 5 * 60_000
/** An end counts against the budget for this long. */
const budgetMs = 60 * 60_000

export interface SweepDeps extends Pick<ClusterDeps, 'client' | 'machineResource' | 'cloud' | 'fleetOf' | 'recorder'> {
  readonly infraMachines: Cache<InfraMachine>
  readonly tokens: AttemptTokens
  readonly orphans: 'Terminate' | 'Report'
  /** The last renewal of the Lease before this process took it, by the wall clock. Undefined: unknown. */
  readonly leaseRenewedAt: number | undefined
}

/** The cluster whose instances are checked. */
export interface Swept {
  readonly object: InfraCluster
  readonly ownerId: string
  /** Others have this owner id too, or may have it: nothing is ended. */
  readonly isShared: boolean
}

/** `since`: when this process first saw it without a machine. */
type Suspect = OwnedInstance & { readonly since: number }

export interface SweepFinding {
  /** The condition OrphansFound. Undefined while nothing is known. */
  readonly verdict: Verdict<ClusterReason> | undefined
  /** Instances that another living manager made under this owner id. */
  readonly strangers: readonly OwnedInstance[]
}

/**
 * Ends instances that belong to no machine: the most dangerous action of the manager.
 *
 * A cheap check of the caches comes first. An instance that stays suspect for minutes is checked in full: by two
 * complete lists of the cloud, and then by a fresh list of all infra machines of the namespace, without caches and
 * filters. An instance of another manager is never ended, and while there is one, no other instance is ended either.
 */
export class OrphanSweep {
  readonly #deps: SweepDeps
  readonly #begunAt: number
  /** By owner id and instance id: since when the instance is suspect, by the clock of this process. */
  readonly #suspects = new Map<string, ReadonlyMap<string, number>>()
  /** By owner id: the condition of the last refusal to end an instance. */
  readonly #refusals = new Map<string, Verdict<ClusterReason>>()
  /** By owner id: when instances were ended. */
  readonly #ended = new Map<string, readonly number[]>()
  /** By owner id: instances that belong to no other manager, as a person has said. */
  readonly #accepted = new Map<string, ReadonlySet<string>>()
  /** By owner id and account: until when managers before this one saw the instances. */
  readonly #seenBefore = new Map<string, number | undefined>()
  readonly #backoff = new Backoff()

  constructor(deps: SweepDeps, { clock }: Pick<Ctx, 'clock'>) {
    this.#deps = deps
    this.#begunAt = clock.monotonic()
  }

  async run(swept: Swept, ctx: Ctx): Promise<SweepFinding> {
    const { object, ownerId, isShared } = swept
    const cloud = await this.#deps.cloud()
    const fleet = this.#deps.fleetOf(cloud.scopeOf(object), cloud, keyOf(object))
    const said = findCondition(object.status?.conditions, 'OrphansFound')
    this.#noteSeenBefore(keyOfSeen(ownerId, fleet), said)
    if (this.isUnseen(fleet, ctx)) return only(said && instancesUnseen)
    if (!fleet.hasSynced) return only(undefined)
    const now = ctx.clock.monotonic()
    const suspects = this.#suspectsOf(fleet, swept, now)
    const isDue = ({ since }: Suspect) => now - since >= suspectForMs && now - this.#begunAt >= quietStartMs
    const due = new Set(suspects.filter(isDue).map(({ id }) => id))
    // Another manager is known. Nothing is ended, so the caches are good enough.
    if (isShared && due.size > 0) return only(this.#judge(suspects.filter(isDue), fleet, { swept, now }).verdict)
    const isAnothers = (one: OwnedInstance) => this.#isAnothers(one, { fleet, ...swept })
    if (due.size === 0 && (isShared || !suspects.some(isAnothers))) return only(suspected(suspects))
    const refusal = this.#refusals.get(ownerId)
    if (refusal && this.#backoff.rest(ownerId, now) > 0) return only(refusal)
    return this.#lookAnew({ cloud, fleet, swept, due }, ctx)
  }

  /** Decides by fresh lists. */
  async #lookAnew(
    { cloud, fleet, swept, due }: { cloud: Cloud; fleet: Fleet; swept: Swept; due: ReadonlySet<string> },
    ctx: Ctx,
  ): Promise<SweepFinding> {
    const { object, ownerId } = swept
    const unclaimed = await this.#unclaimed(object, await this.#twiceListed(fleet, ownerId, ctx), ctx)
    // Another manager is noted at once, because this process may end before anything is due.
    const strangers = unclaimed.filter((one) => this.#isAnothers(one, { fleet, ...swept }))
    if (strangers.length > 0) return { verdict: found(strangers), strangers }
    const orphans = unclaimed.filter(({ id }) => due.has(id))
    if (orphans.length === 0) return only(suspected(unclaimed))
    const { terminate, verdict } = this.#judge(orphans, fleet, { swept, now: ctx.clock.monotonic() })
    const refused = await this.#endAll(cloud, { object, ownerId, orphans: terminate }, ctx)
    if (terminate.length > 0) fleet.hurry()
    return only(refused ?? verdict)
  }

  /** No whole list has come for a while. Then nothing is ended, and a later process must not rely on this one. */
  isUnseen(fleet: Fleet, { clock }: Pick<Ctx, 'clock'>): boolean {
    return clock.monotonic() - Math.max(fleet.wholeAt, this.#begunAt) > unseenAfterMs
  }

  /** A person has said that this owner id is this Cluster's alone, so its present instances were made here. */
  async accept({ object, ownerId }: Pick<Swept, 'object' | 'ownerId'>): Promise<void> {
    const cloud = await this.#deps.cloud()
    const shown = this.#deps.fleetOf(cloud.scopeOf(object), cloud, keyOf(object)).ownedBy(ownerId)
    this.#accepted.set(ownerId, new Set(shown.map(({ id }) => id)))
  }

  /** Whether each instance of this owner belongs to a machine here, by fresh lists. */
  async isAllClaimed({ object, ownerId }: Pick<Swept, 'object' | 'ownerId'>, ctx: Ctx): Promise<boolean> {
    const cloud = await this.#deps.cloud()
    const alive = await this.#deps.fleetOf(cloud.scopeOf(object), cloud, keyOf(object)).aliveOf(ownerId, ctx)
    // An instance that is terminating may have lost its machine before the move.
    const staying = alive.filter(({ state }) => state !== 'terminating')
    return (await this.#unclaimed(object, staying, ctx)).length === 0
  }

  /** Reads the caches only. Notes since when each instance is suspect, and forgets instances that no longer are. */
  #suspectsOf(fleet: Fleet, { object, ownerId }: Swept, now: number): readonly Suspect[] {
    const before = this.#suspects.get(ownerId)
    const { namespace } = object.metadata
    const machines = this.#deps.infraMachines.list().filter(({ metadata }) => metadata.namespace === namespace)
    const claims = machines.map(toClaim)
    this.#noteAttempts(claims)
    const suspects = orphansAmong(fleet.ownedBy(ownerId).filter(isOwned), claims)
    const known = suspects.map((one) => ({ ...one, since: before?.get(one.id) ?? now }))
    this.#suspects.set(ownerId, new Map(known.map(({ id, since }) => [id, since])))
    return known
  }

  #noteAttempts(claims: readonly ClaimingMachine[]): void {
    const tokens = claims.flatMap(({ token, left = [] }) => (token === undefined ? left : [token, ...left]))
    for (const token of tokens) this.#deps.tokens.note(token)
  }

  async #twiceListed(fleet: Fleet, ownerId: string, ctx: Ctx): Promise<Instance[]> {
    const first = new Set((await fleet.aliveOf(ownerId, ctx)).map(({ id }) => id))
    return (await fleet.aliveOf(ownerId, ctx)).filter(({ id, state }) => first.has(id) && state !== 'terminating')
  }

  async #unclaimed(
    { metadata }: InfraCluster,
    alive: readonly Instance[],
    ctx: Ctx,
  ): Promise<readonly OwnedInstance[]> {
    const claims = (await everyMachine(metadata.namespace, this.#deps, ctx)).map(toClaim)
    this.#noteAttempts(claims)
    return orphansAmong(alive.filter(isOwned), claims)
  }

  /** An instance of another namespace is always another's, because machines and their Cluster share one. */
  #isAnothers({ id, tag, launchedAt }: OwnedInstance, { fleet, object, ownerId }: Swept & { fleet: Fleet }): boolean {
    if (!tag.machine.startsWith(namespaceDigest(object.metadata.namespace))) return true
    if (this.#accepted.get(ownerId)?.has(id)) return false
    const origin = {
      isAttempted: this.#deps.tokens.has(tag.token),
      isInherited: fleet.isInherited(id),
      launchedAt,
    }
    return isOfAnotherManager(origin, this.#seenBefore.get(keyOfSeen(ownerId, fleet)))
  }

  /** The condition as this process found it, because from then on it tells of this process. */
  #noteSeenBefore(key: string, found: { readonly reason: string } | undefined): void {
    if (!this.#seenBefore.has(key)) this.#seenBefore.set(key, seenUntil(this.#deps.leaseRenewedAt, found))
  }

  #judge(
    orphans: readonly OwnedInstance[],
    fleet: Fleet,
    { swept: { ownerId, isShared }, now }: { swept: Swept; now: number },
  ): { terminate: readonly OwnedInstance[]; verdict: Verdict<ClusterReason> } {
    const ended = (this.#ended.get(ownerId) ?? []).filter((at) => now - at < budgetMs)
    this.#ended.set(ownerId, ended)
    const instances = fleet.ownedBy(ownerId).length
    const facts = { orphans, instances, ended: ended.length, isShared, mode: this.#deps.orphans }
    const { terminate, report } = judgeSweep(facts)
    const verdict =
      report === undefined ? noOrphans : ({ status: 'True', reason: 'OrphansFound', message: report } as const)
    return { terminate, verdict }
  }

  /** Reports an instance that the cloud refuses to end, and then waits before the next call. */
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
        this.#backoff.refused(ownerId, { nowMs: ctx.clock.monotonic(), atLeastMs: thrown.retryAfterMs ?? 0 })
        const message = `Instance ${orphan.id} belongs to no machine and cannot be terminated yet. ${inSentence(thrown)}. The manager tries again.`
        const verdict = { status: 'True', reason: 'OrphansFound', message } as const
        this.#refusals.set(ownerId, verdict)
        return verdict
      }
    }
    this.#backoff.clear(ownerId)
    this.#refusals.delete(ownerId)
    return undefined
  }

  async #end(
    cloud: Cloud,
    { object, ownerId, orphan }: { object: InfraCluster; ownerId: string; orphan: OwnedInstance },
    ctx: Ctx,
  ): Promise<void> {
    const { id, name, tag } = orphan
    ctx.log.warn('Ending an orphan', { instance: id, name })
    await cloud.instances.terminate(
      { scope: cloud.scopeOf(object), tag, id, ...(name === undefined ? {} : { name }) },
      ctx,
    )
    this.#ended.set(ownerId, [...(this.#ended.get(ownerId) ?? []), ctx.clock.monotonic()])
    const message = `Instance ${id}${name === undefined ? '' : ` (${name})`} belonged to no machine. The manager terminated it.`
    const reason: EventReason = 'OrphanEnded'
    this.#deps.recorder.event({ object, type: 'Warning', reason, message }, ctx)
  }
}

const noOrphans: Verdict<ClusterReason> = {
  status: 'False',
  reason: 'NoOrphans',
  message: 'The last list of the account shows no instance of this cluster without a machine.',
}

function keyOfSeen(ownerId: string, { scope }: Fleet): string {
  return `${ownerId} ${scope.account ?? ''}`
}

function only(verdict: Verdict<ClusterReason> | undefined): SweepFinding {
  return { verdict, strangers: [] }
}

/** These instances have been without a machine, but not for long enough to be orphans. */
function suspected(instances: readonly OwnedInstance[]): Verdict<ClusterReason> {
  if (instances.length === 0) return noOrphans
  const minutes = suspectForMs / 60_000
  const message = `These instances have no machine: ${named(instances)}. The manager checks them again when that has lasted ${minutes} minutes.`
  return { status: 'Unknown', reason: 'OrphansSuspected', message }
}

function found(strangers: readonly OwnedInstance[]): Verdict<ClusterReason> {
  const message = `Another manager created these instances, which have no machine here: ${named(strangers)}. The manager terminates nothing.`
  return { status: 'True', reason: 'OrphansFound', message }
}
