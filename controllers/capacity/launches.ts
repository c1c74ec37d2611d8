import type { Ctx } from '../../api/ctx.ts'
import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import type { Cluster, Machine } from '../../api/machine.ts'
import type { Offering } from '../../api/offering.ts'
import type { Backoff } from '../../api/rules/backoff-annotation.ts'
import { clampToNow, pauseEndsAt, wholeSecond } from '../../api/rules/backoff-group.ts'
import { admission, type Admission, type Ask, type GroupToEnter } from '../../api/rules/capacity/admission.ts'
import { patientUntil } from '../../api/rules/capacity/patience.ts'
import type { LaunchFacts } from '../../api/rules/outcome.ts'
import { byAge, policyFor, policyKeyOf, termsOf, type Terms } from '../../api/rules/policy.ts'
import { groupsNow, othersWaitedForUntil } from '../../api/rules/remediation.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import { keyOf } from '../runtime/client/resource.ts'
import type { InfraMachines } from '../shared/infra-of.ts'
import type { BackoffStore } from './backoff-store.ts'
import { Claims, type Asking, type Standing } from './claims.ts'
import { ownerOf } from './group-names.ts'
import type { CapacityMemory, Waiter } from './memory.ts'
import { subjectsOf, type Subject } from './subjects.ts'

export interface LaunchesDeps extends InfraMachines {
  readonly memory: CapacityMemory
  readonly backoffStore: BackoffStore
  /** With the index `cluster`. The policies have it too. */
  readonly machines: Pick<Cache<Machine>, 'get' | 'by'>
  readonly policies: Pick<Cache<InterruptionPolicy>, 'by'>
}

/** The Machines of a Cluster as their objects show them, without claims. */
interface Shown {
  readonly second: number
  readonly subjects: readonly Subject[]
}

/** Which machines may ask the cloud now. Machines ask it before they launch, and tell it what came of that. */
export class Launches {
  readonly #deps: LaunchesDeps
  readonly #claims = new Claims()
  readonly #shown = new Map<string, Shown>()

  constructor(deps: LaunchesDeps) {
    this.#deps = deps
  }

  /** Once for each Cluster and process: the annotation, and then the refusals that its machines show. */
  async load(cluster: Cluster, ctx: Ctx): Promise<void> {
    const { memory, backoffStore } = this.#deps
    const key = keyOf(cluster)
    await memory.load(key, async () => {
      const unsettled = this.#subjectsOf(key, ctx.clock.now()).filter(({ outcome }) => outcome.is !== 'serving')
      const policyKeys = new Map(unsettled.map(({ owner, policyKey }) => [owner, policyKey]))
      const stored = await backoffStore.load(cluster, policyKeys, ctx)
      return this.#withRefusals(key, stored, ctx.clock.now())
    })
  }

  /** What the remediation has to know of a machine beyond its objects. */
  readonly factsOf = (machine: string): LaunchFacts | undefined => this.#claims.facts(machine)

  /**
   * Admits the machine and claims what it asks for, or lets it wait. Nothing is awaited between the two, or two
   * machines would be the one probe.
   */
  enter(asking: Asking, now: number): Held | undefined {
    const { waiter, terms, owner } = this.#termsOf(asking)
    const answer = this.#admissionOf(asking, now)
    const before = this.#claims.of(asking.key)
    if (answer.is === 'waiting') {
      const at = before?.is === 'waiting' ? before.at : wholeSecond(now)
      this.#claims.set({ is: 'waiting', asking, waiter, owner, at })
      return { until: answer.until, offering: asking.offering, patientUntil: patientUntil(asking.machine, terms) }
    }
    const groups = this.#groupsOf(waiter, asking.groups, now)
    const ends = Math.max(0, ...groups.map((group) => (group ? pauseEndsAt(group, terms) : 0)))
    const at = before?.is === 'claimed' && before.at >= ends ? before.at : wholeSecond(now)
    this.#claims.set({ is: 'claimed', asking, waiter, owner, at })
    return undefined
  }

  /** Whether it goes on waiting. Undefined: it waits for nothing, or its turn may have come. */
  stillHeld(machine: Machine, now: number): Held | undefined {
    const standing = this.#claims.of(keyOf(machine))
    if (standing?.is !== 'waiting') return undefined
    const asking = { ...standing.asking, machine }
    return this.#admissionOf(asking, now).is === 'waiting' ? this.enter(asking, now) : undefined
  }

  /** It asks for nothing any more: its write failed, it was refused, or it goes. */
  end(machine: string): void {
    this.#claims.end(machine)
  }

  /** A definite no. `group`: what it closes. */
  refused(asking: Pick<Asking, 'machine' | 'cluster'> & { readonly group: string }, now: number): void {
    const { waiter, terms } = this.#termsOf(asking)
    this.#deps.memory.tell(waiter, { group: asking.group, at: wholeSecond(now), terms })
    this.end(keyOf(asking.machine))
  }

  /** After a plan of the remediation: requeues the machines whose turn has come, and no others. */
  look(cluster: string, now: number): void {
    this.#shown.delete(cluster)
    this.#endThoseOver(cluster, now)
    const tentative: Standing[] = []
    for (const standing of this.#claims.in(cluster)) {
      const { asking } = standing
      const machine = this.#deps.machines.get(asking.key)
      if (!machine || machine.metadata.deletionTimestamp !== undefined) this.end(asking.key)
      else if (standing.is === 'waiting' && this.#admissionOf(asking, now, tentative).is === 'admitted') {
        tentative.push({ ...standing, is: 'claimed', at: wholeSecond(now) })
        asking.wake()
      }
    }
  }

  #admissionOf(asking: Asking, now: number, tentative: readonly Standing[] = []): Admission {
    const { key, groups } = asking
    const { waiter, terms, owner, policyKey } = this.#termsOf(asking)
    let asks: readonly AskIn[] | undefined
    const known = this.#groupsOf(waiter, groups, now)
    const toEnter = groups.map((name, n): GroupToEnter => {
      const group = known[n]
      if (!group) return { group, asks: [] }
      asks ??= this.#asksOf({ ...waiter, policyKey }, now, tentative)
      const others = this.#deps.memory.factsFor(waiter, name)
      const claimed = this.#claims.newestOfOthers(name, waiter.cluster)
      const triedSince = Math.max(others.triedSince ?? 0, claimed ?? 0)
      return {
        group,
        asks: asks.filter((ask) => ask.groups.includes(name)),
        othersUntil: othersWaitedForUntil(group, terms, triedSince === 0 ? {} : { triedSince }),
      }
    })
    const until = patientUntil(asking.machine, terms)
    return admission(toEnter, { asker: { machine: key, owner }, terms, now, patientUntil: until })
  }

  #groupsOf({ cluster, policyKey }: Waiter, names: readonly string[], now: number) {
    const groups = this.#deps.memory.backoffOf(cluster).get(policyKey)
    return names.map((name) => {
      const group = groups?.get(name)
      // What took an instance back has refused nothing.
      return group && !group.cameUp ? clampToNow(group, now) : undefined
    })
  }

  /** Attempts as the objects show them, and claims. A machine that waits has no ask, also if it has an attempt. */
  #asksOf({ cluster, policyKey }: Waiter, now: number, tentative: readonly Standing[]): readonly AskIn[] {
    this.#endThoseOver(cluster, now)
    const asks = new Map<string, AskIn>()
    for (const subject of this.#subjectsOf(cluster, now)) {
      const ask = this.#claims.of(subject.key)?.is === 'waiting' ? undefined : askOf(subject)
      if (ask && subject.policyKey === policyKey) asks.set(subject.key, ask)
    }
    const claimed = [...this.#claims.in(cluster), ...tentative].filter(({ is }) => is === 'claimed')
    for (const { asking, waiter, owner, at } of claimed) {
      if (waiter.policyKey !== policyKey) continue
      asks.set(asking.key, { machine: asking.key, owner, at, isSettled: false, groups: asking.groups })
    }
    return [...asks.values()]
  }

  /** Claims of attempts that show, or that have a result. */
  #endThoseOver(cluster: string, now: number): void {
    if (this.#claims.in(cluster).length === 0) return
    for (const { key, outcome } of this.#subjectsOf(cluster, now)) {
      const standing = this.#claims.of(key)
      if (standing?.is === 'claimed' && isOver(standing, outcome)) this.end(key)
    }
  }

  /** Many machines ask at once, and their objects do not change so fast. Claims are looked at each time. */
  #subjectsOf(cluster: string, now: number): readonly Subject[] {
    const second = wholeSecond(now)
    const shown = this.#shown.get(cluster)
    if (shown?.second === second) return shown.subjects
    const machines = this.#deps.machines.by('cluster', cluster)
    const living = machines.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    const subjects = subjectsOf({ machines: living, policies: this.#policiesOf(cluster) }, this.#deps, now)
    this.#shown.set(cluster, { second, subjects })
    return subjects
  }

  #withRefusals(cluster: string, stored: Backoff, now: number): Backoff {
    const byPolicy = Map.groupBy(this.#subjectsOf(cluster, now), ({ policyKey }) => policyKey)
    const backoff = new Map(stored)
    for (const [policyKey, machines] of byPolicy) {
      backoff.set(policyKey, groupsNow({ now, machines, groups: stored.get(policyKey) ?? new Map() }))
    }
    return backoff
  }

  #policiesOf(cluster: string): readonly InterruptionPolicy[] {
    return byAge(this.#deps.policies.by('cluster', cluster))
  }

  #termsOf({ machine, cluster }: Pick<Asking, 'machine' | 'cluster'>): TermsOfOne {
    const policy = policyFor(machine, this.#policiesOf(cluster))
    const policyKey = policyKeyOf(policy)
    return { waiter: { cluster, policyKey }, policyKey, owner: ownerOf(machine), terms: termsOf(policy?.spec) }
  }
}

/** A machine that waits for its turn. */
export interface Held {
  /** When to look again, if no event comes before. */
  readonly until: number
  readonly offering: Offering
  /** Then it asks regardless. */
  readonly patientUntil: number
}

interface AskIn extends Ask {
  readonly groups: readonly string[]
}

interface TermsOfOne {
  readonly waiter: Waiter
  readonly policyKey: string
  readonly owner: string
  readonly terms: Terms
}

function askOf({ key, owner, outcome }: Subject): AskIn | undefined {
  if (outcome.is !== 'underWay' && outcome.is !== 'serving') return undefined
  const { requestedAt: at, groups } = outcome
  return { machine: key, owner, at, isSettled: outcome.is === 'serving', groups }
}

/** The attempt shows, and from now on it counts; or there is a result. */
function isOver({ at }: Standing, outcome: Subject['outcome']): boolean {
  if (outcome.is === 'underWay') return outcome.requestedAt >= at
  return outcome.is === 'serving' || outcome.is === 'over'
}
