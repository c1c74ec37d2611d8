import type { Ctx } from '../../api/ctx.ts'
import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import type { Cluster, Machine } from '../../api/machine.ts'
import type { Offering } from '../../api/offering.ts'
import type { Backoff } from '../../api/rules/backoff-annotation.ts'
import { clampToNow, pauseEndsAt, wholeSecond } from '../../api/rules/backoff-group.ts'
import { admission, type Admission, type GroupToEnter } from '../../api/rules/capacity/admission.ts'
import type { Standing as OfferingStanding } from '../../api/rules/capacity/choice.ts'
import { patientUntil } from '../../api/rules/capacity/patience.ts'
import { learn } from '../../api/rules/capacity/tried.ts'
import { groupsHolding, holds, ownGroups, termsOfGroup } from '../../api/rules/capacity/what-closes.ts'
import type { LaunchFacts } from '../../api/rules/outcome.ts'
import { byAge, policyFor, policyKeyOf, termsOf, type Terms } from '../../api/rules/policy.ts'
import { groupsNow, othersWaitedForUntil } from '../../api/rules/remediation.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import { keyOf } from '../runtime/client/resource.ts'
import type { InfraMachines } from '../shared/infra-of.ts'
import type { BackoffStore } from './backoff-store.ts'
import { askOf, isOver, isSameOffering, type AskIn } from './asks.ts'
import { Claims, mostOthers, type Asking, type Standing, type ToWait } from './claims.ts'
import { ownerOf } from './group-names.ts'
import type { CapacityMemory, Waiter } from './memory.ts'
import { Siblings } from './siblings.ts'
import { subjectsOf, type Subject } from './subjects.ts'
import { toldByAttempt } from './told.ts'

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
  readonly siblings: Siblings

  constructor(deps: LaunchesDeps) {
    this.#deps = deps
    this.siblings = new Siblings({ ...deps, standingOf: (machine) => this.#claims.of(machine) })
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
  readonly factsOf = (machine: string): LaunchFacts | undefined => {
    const known = this.#claims.of(machine)
    if (!known) return undefined
    const { is, asking, others = [], waiter, at } = known
    const names = [asking, ...others].flatMap((one) => this.#holding(one, waiter))
    return { is, groups: [...new Set(names)], at }
  }

  /**
   * Admits the machine and claims what it asks for, or lets it wait. Nothing is awaited between the two, or two
   * machines would be the one probe.
   */
  enter(asking: Asking, now: number): Held | undefined {
    const answer = this.#admissionOf(asking, now)
    if (answer.is === 'waiting') return this.wait({ asking, until: answer.until }, now)
    const { waiter, terms, owner } = this.#termsOf(asking)
    const before = this.#claims.of(asking.key)
    const groups = this.#groupsOf(waiter, this.#holding(asking, waiter), now)
    const ends = Math.max(0, ...groups.map(({ name, group }) => pauseEndsAt(group, termsOfGroup(name, terms))))
    const isSame = before?.is === 'claimed' && isSameOffering(before.asking.asked.offering, asking.asked.offering)
    const at = isSame && before.at >= ends ? before.at : wholeSecond(now)
    this.#claims.set({ is: 'claimed', asking, waiter, owner, at })
    return undefined
  }

  /** What the memory says to this machine about one of its offerings. It claims nothing. */
  standingOf(asking: Asking, now: number): OfferingStanding {
    const answer = this.#admissionOf(asking, now)
    if (answer.is === 'waiting') return { is: 'closed', until: answer.until }
    const { waiter } = this.#termsOf(asking)
    const { avoidedUntil = 0 } = this.#deps.memory.factsFor(waiter, ownGroups(asking.asked).offering)
    return { is: 'open', isAvoided: now < avoidedUntil }
  }

  /** It waits, and could also ask for each of the others. */
  wait({ asking, others = [], until, isTimed = false, market: wished }: ToWait, now: number): Held {
    const { waiter, terms, owner } = this.#termsOf(asking)
    const before = this.#claims.of(asking.key)
    const at = before?.is === 'waiting' ? before.at : wholeSecond(now)
    const market = wished ?? before?.market
    const common = { asking, others: others.slice(0, mostOthers), until, isTimed, waiter, owner, at }
    this.#claims.set({ is: 'waiting', ...common, ...(market ? { market } : {}) })
    const { offering, hasFallback } = asking.asked
    return { until, offering, ...(hasFallback ? {} : { patientUntil: patientUntil(asking.machine, terms) }) }
  }

  /** Whether it goes on waiting. Undefined: it waits for nothing, or its turn may have come. */
  stillHeld(machine: Machine, now: number): Held | undefined {
    const standing = this.#claims.of(keyOf(machine))
    if (standing?.is !== 'waiting') return undefined
    const { others = [], until = 0, isTimed = false } = standing
    const asking = { ...standing.asking, machine }
    if (asking.asked.hasFallback) {
      const ones = isTimed ? [] : [asking, ...others]
      const asksOf = this.#asksOnce(now)
      const isTurn = now >= until || ones.some((one) => this.#admissionOf(one, now, asksOf).is === 'admitted')
      return isTurn ? undefined : this.wait({ asking, others, until, isTimed }, now)
    }
    return this.#admissionOf(asking, now).is === 'waiting' ? this.enter(asking, now) : undefined
  }

  /** Of the policy of a machine. */
  termsFor({ machine, cluster }: { machine: Machine | undefined; cluster: Cluster | undefined }): Terms {
    return machine && cluster ? this.#termsOf({ machine, cluster: keyOf(cluster) }).terms : termsOf()
  }

  /** It asks for nothing any more: its write failed, it was refused, or it goes. */
  end(machine: string): void {
    this.#claims.end(machine)
  }

  /** A definite no. `groups`: what it closes. */
  refused(asking: Pick<Asking, 'machine' | 'cluster'> & { readonly groups: readonly string[] }, now: number): void {
    const { waiter, terms } = this.#termsOf(asking)
    for (const group of asking.groups) {
      this.#deps.memory.tell(waiter, { group, at: wholeSecond(now), terms: termsOfGroup(group, terms) })
    }
    this.end(keyOf(asking.machine))
  }

  /** After a plan of the remediation: requeues the machines whose turn has come, or comes sooner, and no others. */
  look(cluster: string, now: number): void {
    this.#shown.delete(cluster)
    this.#endThoseOver(cluster, now)
    const tentative: Standing[] = []
    let asksOf = this.#asksOnce(now, tentative)
    for (const standing of this.#claims.in(cluster)) {
      const { asking, others = [], until = 0, isTimed = false } = standing
      const machine = this.#deps.machines.get(asking.key)
      if (!machine || machine.metadata.deletionTimestamp !== undefined) this.end(asking.key)
      else if (standing.is === 'waiting' && !isTimed) {
        const answers = [asking, ...others].map((one) => ({ one, answer: this.#admissionOf(one, now, asksOf) }))
        const admitted = answers.find(({ answer }) => answer.is === 'admitted')
        if (admitted) {
          tentative.push({ ...standing, asking: admitted.one, is: 'claimed', at: wholeSecond(now) })
          asksOf = this.#asksOnce(now, tentative)
        }
        const isSooner = answers.some(({ answer }) => answer.is === 'waiting' && answer.until < until)
        if (admitted || isSooner) asking.wake()
      }
    }
  }

  /** For questions between which nothing is awaited. */
  #asksOnce(now: number, tentative: readonly Standing[] = []): (waiter: Waiter) => readonly AskIn[] {
    const known = new Map<string, readonly AskIn[]>()
    return (waiter) => {
      const asks = known.get(waiter.policyKey) ?? this.#asksOf(waiter, now, tentative)
      known.set(waiter.policyKey, asks)
      return asks
    }
  }

  #admissionOf(asking: Asking, now: number, asksOf = (waiter: Waiter) => this.#asksOf(waiter, now, [])): Admission {
    const { waiter, terms, owner } = this.#termsOf(asking)
    let asks: readonly AskIn[] | undefined
    const known = this.#groupsOf(waiter, this.#holding(asking, waiter), now)
    const toEnter = known.map(({ name, group }): GroupToEnter => {
      asks ??= asksOf(waiter)
      const others = this.#deps.memory.factsFor(waiter, name)
      const claimed = this.#claims.newestOfOthers(name, waiter.cluster)
      const triedSince = Math.max(others.triedSince ?? 0, claimed ?? 0)
      const own = termsOfGroup(name, terms)
      return {
        group,
        terms: own,
        asks: asks.filter((ask) => ask.isIn(name)),
        othersUntil: othersWaitedForUntil(group, own, triedSince === 0 ? {} : { triedSince }),
      }
    })
    const patience = asking.asked.hasFallback ? {} : { patientUntil: patientUntil(asking.machine, terms) }
    return admission(toEnter, { asker: { machine: asking.key, owner }, terms, now, ...patience })
  }

  /** The names of the groups that may hold it. */
  #holding({ asked }: Asking, waiter: Waiter): readonly string[] {
    return groupsHolding(asked, this.#deps.memory.knownGroupsOf(waiter))
  }

  #groupsOf({ cluster, policyKey }: Waiter, names: readonly string[], now: number) {
    const groups = this.#deps.memory.backoffOf(cluster).get(policyKey)
    return names.flatMap((name) => {
      const group = groups?.get(name)
      // What took an instance back has refused nothing.
      return group && !group.cameUp ? [{ name, group: clampToNow(group, now) }] : []
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
      const isIn = (group: string) => holds(group, asking.asked)
      asks.set(asking.key, { machine: asking.key, owner, at, isSettled: false, isIn })
    }
    return [...asks.values()]
  }

  /** Claims of attempts that show, or that have a result. */
  #endThoseOver(cluster: string, now: number): void {
    if (this.#claims.in(cluster).length === 0) return
    for (const subject of this.#subjectsOf(cluster, now)) {
      const standing = this.#claims.of(subject.key)
      if (standing?.is === 'claimed' && isOver(standing, subject)) this.end(subject.key)
    }
  }

  /** Many machines ask at once, and their objects do not change so fast. Claims are looked at each time. */
  #subjectsOf(cluster: string, now: number): readonly Subject[] {
    const second = wholeSecond(now)
    const shown = this.#shown.get(cluster)
    if (shown?.second === second) return shown.subjects
    const machines = this.#deps.machines.by('cluster', cluster)
    const living = machines.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    const known = (policyKey: string) => this.#deps.memory.knownGroupsOf({ cluster, policyKey })
    const subjects = subjectsOf({ machines: living, policies: this.#policiesOf(cluster), known }, this.#deps, now)
    this.#shown.set(cluster, { second, subjects })
    return subjects
  }

  #withRefusals(cluster: string, stored: Backoff, now: number): Backoff {
    const byPolicy = Map.groupBy(this.#subjectsOf(cluster, now), ({ policyKey }) => policyKey)
    const backoff = new Map(stored)
    for (const [policyKey, machines] of byPolicy) {
      const groups = learn(
        stored.get(policyKey) ?? new Map(),
        machines.flatMap((one) => toldByAttempt(one, now)),
      )
      backoff.set(policyKey, groupsNow({ now, machines, groups }))
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
  /** Then it asks regardless. Left out: never, it has a `fallback`. */
  readonly patientUntil?: number
}

interface TermsOfOne {
  readonly waiter: Waiter
  readonly policyKey: string
  readonly owner: string
  readonly terms: Terms
}
