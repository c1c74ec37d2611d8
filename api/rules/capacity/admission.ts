import { isProbed, mayFollow, nextWaveAt, pauseEndsAt, type BackoffGroup, type BackoffTerms } from '../backoff-group.ts'

/** A machine that asks the cloud, or is about to. */
export interface Asker {
  /** `namespace/name` of the Machine. */
  readonly machine: string
  /** The MachineDeployment or MachineSet that makes its replacement. */
  readonly owner: string
}

/** An ask that is known: the claim of a machine, its attempt, or the instance that came of it. */
export interface Ask extends Asker {
  readonly at: number
  /** It has a result: an instance runs. A refusal is in the group, and its ask is known no more. */
  readonly isSettled: boolean
}

/** One group of what a machine wants to ask for, as its Cluster and policy know it. */
export interface GroupToEnter {
  readonly group: BackoffGroup | undefined
  /** Left out: those of the asker. What is not sold stays closed for longer. */
  readonly terms?: BackoffTerms
  /** Of the machines of this Cluster and policy. Claims and attempts are a map by machine, so none counts twice. */
  readonly asks: readonly Ask[]
  /** Until when a try of another Cluster is awaited. */
  readonly othersUntil?: number
}

export interface AdmissionFacts {
  readonly asker: Asker
  readonly terms: BackoffTerms
  readonly now: number
  /** A machine without `fallback` asks from then on, whatever the groups say. */
  readonly patientUntil?: number
}

/** `until`: when to look again, if no event comes before. */
export type Admission = { readonly is: 'admitted' } | { readonly is: 'waiting'; readonly until: number }

const admitted: Admission = { is: 'admitted' }

/**
 * Whether a machine may ask now. Nothing may be awaited between this answer and the claim of the machine, or two would
 * be the one probe.
 */
export function admission(groups: readonly GroupToEnter[], facts: AdmissionFacts): Admission {
  const { now, patientUntil = Infinity } = facts
  if (now >= patientUntil) return admitted
  const waits = groups
    .map((one) => enter(one, one.terms ? { ...facts, terms: one.terms } : facts))
    .filter((one) => one.is === 'waiting')
  if (waits.length === 0) return admitted
  return { is: 'waiting', until: Math.min(patientUntil, Math.max(...waits.map(({ until }) => until))) }
}

function enter({ group, asks, othersUntil = 0 }: GroupToEnter, facts: AdmissionFacts): Admission {
  if (!group) return admitted
  const { asker, terms, now } = facts
  const ends = pauseEndsAt(group, terms)
  const own = asks.find(({ machine }) => machine === asker.machine)
  // Admitted before: it asks again with its token, or comes back for its turn at the cloud.
  if (own && own.at >= ends && now >= ends) return admitted
  const others = asks.filter(({ machine }) => machine !== asker.machine)
  if (group.openedAt !== undefined) return enterOpen(group, others, facts)
  if (now < ends) return waitUntil(ends)
  const triedUntil = Math.max(othersUntil, ...others.filter(isUnsettled).map(({ at }) => at + terms.patienceMs))
  if (now < triedUntil) return waitUntil(triedUntil)
  return hasTurn(group, others, facts) ? admitted : waitUntil((group.probe?.at ?? now) + terms.patienceMs)
}

/** In waves. Those that asked since it opened count, whatever came of it. */
function enterOpen(group: BackoffGroup, others: readonly Ask[], { terms, now }: AdmissionFacts): Admission {
  const released = others.filter(({ at }) => at >= (group.openedAt ?? 0)).length
  return mayFollow({ ...group, released }, now, terms) > 0 ? admitted : waitUntil(nextWaveAt(group, now, terms))
}

/** The turn of a Machine that is replaced belongs to the next Machine of its owner that asks. */
function hasTurn(group: BackoffGroup, others: readonly Ask[], { asker, terms, now }: AdmissionFacts): boolean {
  const { probe } = group
  if (!probe || !isProbed(group, now, terms)) return true
  const isTaken = others.some(({ machine, owner, at }) => {
    const isNext = owner === probe.owner && machine !== probe.machine
    return isNext && at >= probe.at
  })
  return !isTaken && asker.owner === probe.owner && asker.machine !== probe.machine
}

function isUnsettled({ isSettled }: Ask): boolean {
  return !isSettled
}

function waitUntil(until: number): Admission {
  return { is: 'waiting', until }
}
