import {
  afterFailure,
  afterMiss,
  afterRelease,
  afterSuccess,
  isForgotten,
  isProbed,
  notAhead,
  wholeSecond,
  type Lane,
  type Pace,
} from './lanes.ts'
import type { Failed, Outcome } from './outcome.ts'

/** One Machine, as far as it matters to whether it is replaced. */
export interface Candidate {
  /** `namespace/name` */
  readonly key: string
  /** `namespace/name` of the MachineDeployment or MachineSet that makes its replacement. */
  readonly owner: string
  readonly outcome: Outcome
  readonly pace: Pace
  /** It was let go before, and is still there. */
  readonly isMarked: boolean
  /** Nobody will replace it, or nobody may. What it shows of its lanes counts all the same. */
  readonly isFixed: boolean
}

export type Decision =
  | { readonly do: 'nothing' }
  | { readonly do: 'replace'; readonly why: string; readonly failed?: Failed }
  /** `until` is in the past while another machine tries the same. */
  | { readonly do: 'wait'; readonly until: number; readonly attempt: number; readonly failed: Failed }

export interface PlanFacts {
  readonly now: number
  readonly machines: readonly Candidate[]
  readonly lanes: ReadonlyMap<string, Lane>
}

export interface Plan {
  /** All that is known now, of lanes that none of these machines uses too. */
  readonly lanes: ReadonlyMap<string, Lane>
  /** By key of the Machine. */
  readonly decisions: ReadonlyMap<string, Decision>
  /** When time alone may change the plan; undefined: only events do. */
  readonly lookAgainAt: number | undefined
}

/**
 * Who is replaced now and who later. Machines that served for long are replaced at once, all of them; of those that fail
 * alike one tries for all. The same facts give the same plan: who was let go is among the facts.
 */
export function planRemediation({ now, machines, lanes: before }: PlanFacts): Plan {
  const lanes = new Map([...before].map(([name, lane]) => [name, notAhead(lane, now)]))
  const paces = pacesOf(machines)
  for (const [name, pace] of paces) {
    const lane = lanes.get(name)
    if (lane && isForgotten(lane, now, pace)) lanes.delete(name)
  }
  for (const machine of byTime(machines)) learn(machine, lanes)
  for (const [name, pace] of paces) settleProbe({ name, pace, machines, now }, lanes)
  for (const [name, machine] of firstOfEach(machines, lanes)) {
    const lane = lanes.get(name)
    if (!lane || !mayRelease({ name, lane, pace: machine.pace }, { now, machines })) continue
    lanes.set(name, afterRelease(lane, { machine: machine.key, owner: machine.owner, at: wholeSecond(now) }))
  }
  const decisions = new Map(machines.map((machine) => [machine.key, decide(machine, lanes)]))
  return { lanes, decisions, lookAgainAt: lookAgainAt({ now, machines, lanes }) }
}

/** Every lane that these machines use, with how it goes there: by the first machine that uses it. */
function pacesOf(machines: readonly Candidate[]): Map<string, Pace> {
  const paces = new Map<string, Pace>()
  for (const { outcome, pace } of machines) {
    for (const lane of lanesIn(outcome)) if (!paces.has(lane)) paces.set(lane, pace)
  }
  return paces
}

function lanesIn(outcome: Outcome): readonly string[] {
  if (outcome.is === 'failed') return [outcome.lane, ...(outcome.proves ?? [])]
  return outcome.is === 'serving' || outcome.is === 'underWay' ? outcome.lanes : []
}

/** Failures and successes in the order in which they came. */
function byTime(machines: readonly Candidate[]): readonly Candidate[] {
  const at = ({ outcome }: Candidate) => (outcome.is === 'failed' || outcome.is === 'serving' ? outcome.at : 0)
  return machines.toSorted((a, b) => at(a) - at(b))
}

function learn({ outcome, pace }: Candidate, lanes: Map<string, Lane>): void {
  if (outcome.is !== 'failed' && outcome.is !== 'serving') return
  const { askedAt, at } = outcome
  for (const name of outcome.is === 'serving' ? outcome.lanes : (outcome.proves ?? [])) {
    const lane = lanes.get(name)
    if (lane && askedAt !== undefined) lanes.set(name, afterSuccess(lane, { askedAt, at }))
  }
  if (outcome.is === 'failed') lanes.set(outcome.lane, afterFailure(lanes.get(outcome.lane), outcome, pace))
}

interface Use {
  readonly name: string
  readonly pace: Pace
  readonly machines: readonly Candidate[]
  readonly now: number
}

/** The probe is gone, and a machine that its owner asked for since came to an end elsewhere: nothing more comes of it. */
function settleProbe({ name, pace, machines, now }: Use, lanes: Map<string, Lane>): void {
  const lane = lanes.get(name)
  const probe = lane?.probe
  if (!lane || !probe || machines.some(({ key }) => key === probe.machine)) return
  const since = machines.find(({ owner, outcome }) => {
    const isSettled = outcome.is === 'failed' || outcome.is === 'serving'
    return owner === probe.owner && isSettled && (outcome.askedAt ?? 0) >= probe.at
  })
  if (since) lanes.set(name, afterMiss(lane, { served: since.outcome.is === 'serving', now }, pace))
}

/** Of those that fail in a lane, who would be let go next: who was before, then who waits for the longest time. */
function firstOfEach(machines: readonly Candidate[], lanes: ReadonlyMap<string, Lane>): Map<string, Candidate> {
  const first = new Map<string, Candidate>()
  // Of whom nothing was heard for too long, nobody waits any more: others come first.
  const isLate = ({ key, outcome }: Candidate) =>
    outcome.is === 'failed' && lanes.get(outcome.lane)?.probe?.machine === key
  const rank = (machine: Candidate) => [isLate(machine) ? 1 : 0, machine.isMarked ? 0 : 1, failedAt(machine)] as const
  for (const machine of machines) {
    if (machine.outcome.is !== 'failed' || machine.isFixed) continue
    const other = first.get(machine.outcome.lane)
    if (!other || comesBefore(rank(machine), rank(other))) first.set(machine.outcome.lane, machine)
  }
  return first
}

function failedAt({ outcome }: Candidate): number {
  return outcome.is === 'failed' ? outcome.at : 0
}

/** By the first place in which they differ. */
function comesBefore(a: readonly number[], b: readonly number[]): boolean {
  const place = a.findIndex((value, index) => value !== b[index])
  return place >= 0 && (a[place] ?? 0) < (b[place] ?? 0)
}

function mayRelease(
  { name, lane, pace }: { name: string; lane: Lane; pace: Pace },
  { now, machines }: { now: number; machines: readonly Candidate[] },
): boolean {
  if (lane.openedAt !== undefined || now < lane.until || isProbed(lane, now, pace)) return false
  return !machines.some(({ outcome }) => tries(outcome, name) && now < outcome.askedAt + pace.patienceMs)
}

function tries(outcome: Outcome, lane: string): outcome is Outcome & { is: 'underWay' } {
  return outcome.is === 'underWay' && outcome.lanes.includes(lane)
}

function decide({ key, outcome, isFixed }: Candidate, lanes: ReadonlyMap<string, Lane>): Decision {
  if (isFixed) return { do: 'nothing' }
  if (outcome.is === 'over') return { do: 'replace', why: outcome.reason }
  if (outcome.is !== 'failed') return { do: 'nothing' }
  const lane = lanes.get(outcome.lane)
  if (!lane || lane.openedAt !== undefined || lane.probe?.machine === key) {
    return { do: 'replace', why: outcome.reason, failed: outcome }
  }
  return { do: 'wait', until: lane.until, attempt: lane.failures + 1, failed: outcome }
}

function lookAgainAt({ now, machines, lanes }: PlanFacts): number | undefined {
  const times = machines.flatMap(({ outcome, pace, isFixed }) => {
    if (outcome.is === 'serving') return outcome.nodeDueAt ?? []
    if (outcome.is === 'underWay') return outcome.askedAt + pace.patienceMs
    const lane = outcome.is === 'failed' && !isFixed ? lanes.get(outcome.lane) : undefined
    if (!lane || lane.openedAt !== undefined) return []
    return lane.probe ? lane.probe.at + pace.patienceMs : lane.until
  })
  const coming = times.filter((time) => time > now)
  return coming.length === 0 ? undefined : Math.min(...coming)
}
