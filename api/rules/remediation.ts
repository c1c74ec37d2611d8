import {
  afterMiss,
  afterRelease,
  afterWave,
  isForgotten,
  isProbed,
  mayFollow,
  nextWaveAt,
  clampToNow,
  pauseEndsAt,
  pauseMs,
  waveMs,
  wholeSecond,
  type BackoffGroup,
  type BackoffTerms,
} from './backoff-group.ts'
import { termsOfGroup } from './capacity/what-closes.ts'
import type { OthersFacts } from './group-facts.ts'
import { eventsOf, applyEvent } from './group-events.ts'
import type { Failed, Outcome } from './outcome.ts'

/** A Machine, as far as the plan needs it. */
export interface Candidate {
  /** `namespace/name` */
  readonly key: string
  /** `namespace/name` of the MachineDeployment or MachineSet that makes its replacement. */
  readonly owner: string
  readonly outcome: Outcome
  readonly terms: BackoffTerms
  /** It was admitted before, and still exists. */
  readonly isReleased: boolean
  /** It is not replaced: nothing makes a new one, or a person forbids it. Its outcome still counts for its groups. */
  readonly isFixed: boolean
}

export type Decision =
  | { readonly do: 'nothing' }
  | { readonly do: 'replace'; readonly failed?: Failed }
  | ({ readonly do: 'wait'; readonly attempt: number; readonly failed: Failed } & Wait)

/** Until a time; or while the replacement of another Machine tries; or in an open group, for its wave. */
export type Wait = { readonly until: number } | { readonly triedSince: number } | { readonly openSince: number }

export interface PlanFacts {
  readonly now: number
  /** The Machines of one Cluster with one policy. */
  readonly machines: readonly Candidate[]
  /** The stored backoff of these machines. */
  readonly groups: ReadonlyMap<string, BackoffGroup>
  /** Of the policy, for groups that none of these machines uses now. Left out, it is that of the first machine. */
  readonly terms?: BackoffTerms
  /** The facts that all machines have shown about a group, and whether others try. Left out, there are no others. */
  readonly others?: Others
}

export type Others = (group: string) => OthersFacts

export interface Plan {
  /** The backoff to store, also of groups that none of these machines uses now. */
  readonly groups: ReadonlyMap<string, BackoffGroup>
  /** By key of the Machine. */
  readonly decisions: ReadonlyMap<string, Decision>
  /** The time at which the plan may change without an event; undefined: only events change it. */
  readonly lookAgainAt: number | undefined
}

/**
 * Decides which machines are replaced now. Machines that ran for long are all replaced at once. Of machines that fail
 * for the same cause one tries, and when it succeeds, the others follow in waves. The same facts give the same plan;
 * the machines that were admitted before are among the facts.
 */
export function planRemediation({ now, machines, groups: before, terms: usual, others = noOthers }: PlanFacts): Plan {
  const termsOfGroups = termsByGroup(machines)
  const groups = groupsNow({ now, machines, groups: before, others, ...(usual ? { terms: usual } : {}) })
  for (const name of termsOfGroups.keys()) settleProbe({ name, machines, now }, groups)
  const admitted = new Set<string>()
  for (const [name, waiting] of waitingIn(machines, groups)) {
    for (const { key } of release({ name, waiting, now, machines, others }, groups)) admitted.add(key)
  }
  const decisions = new Map(
    machines.map((machine) => [machine.key, decide(machine, { groups, admitted, now, others })]),
  )
  return { groups, decisions, lookAgainAt: lookAgainAt({ now, machines, groups, others }) }
}

/** The groups after all that these machines show. */
export function groupsNow({
  now,
  machines,
  groups: before,
  terms: usual,
  others = noOthers,
}: PlanFacts): Map<string, BackoffGroup> {
  const groups = new Map([...before].map(([name, group]) => [name, clampToNow(group, now)]))
  const termsOfGroups = termsByGroup(machines)
  for (const [name, group] of groups) {
    const terms = termsOfGroups.get(name) ?? usual ?? machines[0]?.terms
    if (terms && isForgotten(group, now, termsOfGroup(name, terms))) groups.delete(name)
  }
  for (const event of eventsOf({ machines, now, others, termsOfGroups })) applyEvent(event, groups)
  return groups
}

/** Every group that these machines use, with the terms of the first machine that uses it. */
function termsByGroup(machines: readonly Candidate[]): Map<string, BackoffTerms> {
  const termsOfGroups = new Map<string, BackoffTerms>()
  for (const { outcome, terms } of machines) {
    for (const group of groupsIn(outcome)) {
      if (!termsOfGroups.has(group)) termsOfGroups.set(group, termsOfGroup(group, terms))
    }
  }
  return termsOfGroups
}

function groupsIn(outcome: Outcome): readonly string[] {
  if (outcome.is === 'failed') return [outcome.group, ...(outcome.proves ?? [])]
  return outcome.is === 'serving' || outcome.is === 'underWay' || outcome.is === 'waiting' ? outcome.groups : []
}

const noOthers: Others = () => ({})

interface Use {
  readonly name: string
  readonly machines: readonly Candidate[]
  readonly now: number
}

/**
 * Ends a probe whose machine is gone, if a machine that its owner made since has settled elsewhere. Such a probe has no
 * result any more.
 */
function settleProbe({ name, machines, now }: Use, groups: Map<string, BackoffGroup>): void {
  const group = groups.get(name)
  const probe = group?.probe
  if (!group || !probe || machines.some(({ key }) => key === probe.machine)) return
  const since = machines.find(({ owner, outcome }) => {
    if (owner !== probe.owner) return false
    if (outcome.is === 'waiting') return !outcome.groups.includes(name) && outcome.since >= probe.at
    const isSettled = outcome.is === 'failed' || (outcome.is === 'serving' && outcome.awaitsNode?.group !== name)
    return isSettled && (outcome.requestedAt ?? 0) >= probe.at
  })
  if (since) groups.set(name, afterMiss(group, { served: since.outcome.is === 'serving', now }))
}

/** The machines that fail, by group, in order of admission: those admitted before, then the longest waiting. */
function waitingIn(
  machines: readonly Candidate[],
  groups: ReadonlyMap<string, BackoffGroup>,
): ReadonlyMap<string, readonly Candidate[]> {
  const waiting = machines.filter(({ outcome, isFixed }) => outcome.is === 'failed' && !isFixed)
  const groupOf = ({ outcome }: Candidate) => (outcome.is === 'failed' ? outcome.group : '')
  // A probe without a result for too long comes last.
  const isLate = (machine: Candidate) => groups.get(groupOf(machine))?.probe?.machine === machine.key
  const rank = (machine: Candidate) => [isLate(machine) ? 1 : 0, machine.isReleased ? 0 : 1, failedAt(machine)]
  return Map.groupBy(
    waiting.toSorted((a, b) => byFirstDifference(rank(a), rank(b))),
    groupOf,
  )
}

function failedAt({ outcome }: Candidate): number {
  return outcome.is === 'failed' ? outcome.at : 0
}

function byFirstDifference(a: readonly number[], b: readonly number[]): number {
  const first = a.findIndex((value, index) => value !== b[index])
  return first < 0 ? 0 : (a[first] ?? 0) - (b[first] ?? 0)
}

interface Queue {
  readonly name: string
  /** In order of admission. */
  readonly waiting: readonly Candidate[]
  readonly now: number
  readonly machines: readonly Candidate[]
  readonly others: Others
}

/** Returns all that are admitted, now or before. */
function release(queue: Queue, groups: Map<string, BackoffGroup>): readonly Candidate[] {
  const { name, waiting, now } = queue
  const group = groups.get(name)
  const [first] = waiting
  if (!group || !first) return waiting
  if (group.openedAt !== undefined) {
    const before = waiting.filter(({ isReleased }) => isReleased)
    const next = waiting.filter(({ isReleased }) => !isReleased).slice(0, mayFollow(group, now, first.terms))
    if (next.length > 0) groups.set(name, afterWave(group, next.length))
    return [...before, ...next]
  }
  if (mayTry(group, first.terms, queue)) {
    groups.set(name, afterRelease(group, { machine: first.key, owner: first.owner, at: wholeSecond(now) }))
  }
  return waiting.filter(({ key }) => key === groups.get(name)?.probe?.machine)
}

/** The pause is over, and no other try is about to have a result. */
function mayTry(group: BackoffGroup, terms: BackoffTerms, { name, now, machines, others }: Queue): boolean {
  if (now < pauseEndsAt(group, terms) || isProbed(group, now, terms)) return false
  if (now < othersWaitedForUntil(group, terms, others(name))) return false
  if (now < unrequestedUntil(group, terms, { name, machines })) return false
  return !machines.some(({ outcome }) => tries(outcome, name) && now < outcome.requestedAt + terms.patienceMs)
}

/**
 * A machine that waits unrequested asks before any is replaced to try. It has one wave for that, so that a machine that
 * is stuck elsewhere holds up no turn.
 */
function unrequestedUntil(
  group: BackoffGroup,
  terms: BackoffTerms,
  { name, machines }: Pick<Queue, 'name' | 'machines'>,
): number {
  const waits = machines.some(({ outcome }) => outcome.is === 'waiting' && outcome.groups.includes(name))
  return waits ? pauseEndsAt(group, terms) + waveMs(terms) : 0
}

/**
 * A try of another Cluster is awaited for at most the pause of the own policy. So a Cluster whose tries never end, or
 * follow one another, cannot block others for ever.
 */
export function othersWaitedForUntil(group: BackoffGroup, terms: BackoffTerms, { triedSince }: OthersFacts): number {
  if (triedSince === undefined) return 0
  const bound = pauseEndsAt(group, terms) + Math.min(terms.patienceMs, pauseMs(group.failures, terms))
  return Math.min(triedSince + terms.patienceMs, bound)
}

function tries(outcome: Outcome, group: string): outcome is Outcome & { is: 'underWay' | 'serving' } {
  if (outcome.is === 'serving') return outcome.awaitsNode?.group === group
  return outcome.is === 'underWay' && outcome.groups.includes(group)
}

interface Planned {
  readonly groups: ReadonlyMap<string, BackoffGroup>
  readonly admitted: ReadonlySet<string>
  readonly now: number
  readonly others: Others
}

function decide({ key, outcome, terms, isFixed }: Candidate, { groups, admitted, now, others }: Planned): Decision {
  if (isFixed) return { do: 'nothing' }
  if (outcome.is === 'over') return { do: 'replace' }
  if (outcome.is !== 'failed') return { do: 'nothing' }
  const group = groups.get(outcome.group)
  if (!group || admitted.has(key)) return { do: 'replace', failed: outcome }
  return {
    do: 'wait',
    attempt: group.failures + 1,
    failed: outcome,
    ...waitIn(group, terms, { now, ...others(outcome.group) }),
  }
}

function waitIn(group: BackoffGroup, terms: BackoffTerms, { now, triedSince }: OthersFacts & { now: number }): Wait {
  if (group.openedAt !== undefined) return { openSince: group.openedAt }
  const until = pauseEndsAt(group, terms)
  if (now < until) return { until }
  const since = group.probe?.at ?? triedSince
  return since === undefined ? { until } : { triedSince: since }
}

function lookAgainAt({ now, machines, groups, others = noOthers }: PlanFacts): number | undefined {
  const times = machines.flatMap((machine) => [
    ...timesIn(machine.outcome),
    ...turnsOf(machine, { groups, now, others, machines }),
  ])
  const coming = times.filter((time) => time > now && time < Infinity)
  return coming.length === 0 ? undefined : Math.min(...coming)
}

/** The times at which the outcome changes without an event. */
function timesIn(outcome: Outcome): readonly number[] {
  if (outcome.is === 'serving') return outcome.awaitsNode ? [outcome.awaitsNode.dueAt] : []
  if (outcome.is === 'unknown' || outcome.is === 'waiting') return [outcome.patientUntil]
  return outcome.is === 'underWay' ? [outcome.startDueAt ?? outcome.patientUntil, outcome.patientUntil] : []
}

/** The times at which it, or another machine in its place, may be admitted. */
function turnsOf(
  { outcome, terms, isFixed, isReleased }: Candidate,
  { groups, now, others, machines }: Omit<Planned, 'admitted'> & Pick<Queue, 'machines'>,
): readonly number[] {
  if (outcome.is !== 'failed' || isFixed) return []
  const group = groups.get(outcome.group)
  if (!group) return []
  if (group.openedAt !== undefined) return isReleased ? [] : [nextWaveAt(group, now, terms)]
  if (group.probe) return [group.probe.at + terms.patienceMs]
  const unrequested = unrequestedUntil(group, terms, { name: outcome.group, machines })
  return [pauseEndsAt(group, terms), othersWaitedForUntil(group, terms, others(outcome.group)), unrequested]
}
