import { readBackoff, writeBackoff } from '../../../api/backoff.ts'
import { pauseEndsAt, wholeSecond, type Lane, type Pace } from '../../../api/rules/backoff-group.ts'
import type { Outcome } from '../../../api/rules/outcome.ts'
import { planRemediation, type Candidate, type Plan } from '../../../api/rules/remediation.ts'

export const lane = 'pool aws/default/us-east-1 Spot:m5.large:us-east-1a'
const nodeLane = 'node MachineDeployment default/md t1'
const owner = 'MachineDeployment default/md'

export interface LaneWorldOptions {
  readonly machines: number
  readonly pace: Pace
  /** Whether the offering can be had at this time. */
  readonly hasCapacity: (now: number) => boolean
  /** From the tag on a Machine until the cloud is asked for its replacement, and from there until it runs. */
  readonly removalMs: number
  readonly bootMs: number
  /** Left out: every Node comes at once. `come`: whether that of an instance which runs since then does. */
  readonly nodes?: { readonly startupMs: number; readonly come: (since: number) => boolean }
  /** When the process ends and another takes over. */
  readonly restarts?: ReadonlySet<number>
}

interface Instance {
  key: string
  requestedAt: number
  /** Undefined: no capacity. */
  runsAt: number | undefined
  goesAt: number | undefined
}

/** A cloud with one offering, core that replaces what is marked, and the plan, by the second. */
export class LaneWorld {
  now = Date.UTC(2026, 0, 1)
  lanes: ReadonlyMap<string, Lane> = new Map()
  asked = 0
  /** Whoever is let go, on the way out or being asked for: one at a time, unless the lane is open. */
  mostAtOnce = 0
  readonly delays: number[] = []
  readonly #options: LaneWorldOptions
  #instances: Instance[] = []
  #marked = new Set<string>()

  constructor(options: LaneWorldOptions) {
    this.#options = options
    for (let n = 0; n < options.machines; n++) this.#ask()
  }

  get running(): number {
    return this.#instances.filter(({ runsAt }) => runsAt !== undefined && runsAt <= this.now).length
  }

  get withNode(): number {
    return this.#instances.filter(({ runsAt }) => runsAt !== undefined && runsAt <= this.now && this.#joins(runsAt))
      .length
  }

  get lane(): Lane | undefined {
    return this.lanes.get(lane)
  }

  run(ms: number): void {
    for (const end = this.now + ms; this.now < end; this.now += 1_000) this.#second()
  }

  plan(): Plan {
    return planRemediation({ now: this.now, machines: this.#candidates(), lanes: this.lanes })
  }

  /** What is planned stands in annotations and labels. */
  begin({ lanes, decisions }: Plan): void {
    this.lanes = lanes
    this.#marked = new Set([...decisions].filter(([, decision]) => decision.do === 'replace').map(([key]) => key))
  }

  /** What an annotation keeps is all that is left. */
  #restart(): void {
    this.lanes = readBackoff(writeBackoff(new Map([['p', this.lanes]]))).get('p') ?? new Map()
  }

  #second(): void {
    const { pace, restarts } = this.#options
    const failures = this.lane?.failures
    if (restarts?.has(this.now)) this.#restart()
    this.begin(this.plan())
    const known = this.lane
    if (known && known.failures !== failures) this.delays.push(pauseEndsAt(known, pace) - known.failedAt)
    for (const instance of this.#instances) {
      if (this.#marked.has(instance.key)) instance.goesAt ??= this.now + this.#options.removalMs
    }
    const gone = this.#instances.filter(({ goesAt }) => goesAt !== undefined && goesAt <= this.now)
    this.#instances = this.#instances.filter((instance) => !gone.includes(instance))
    for (const _ of gone) this.#ask()
    if (known && known.openedAt === undefined) this.mostAtOnce = Math.max(this.mostAtOnce, this.#onTheirWay(known))
  }

  #onTheirWay({ failedAt }: Lane): number {
    const isUnderWay = ({ requestedAt, runsAt, goesAt }: Instance) =>
      goesAt !== undefined || (requestedAt > failedAt && runsAt !== undefined && runsAt > this.now)
    return this.#instances.filter(isUnderWay).length
  }

  #ask(): void {
    const { hasCapacity, bootMs } = this.#options
    const requestedAt = wholeSecond(this.now)
    const runsAt = hasCapacity(this.now) ? requestedAt + bootMs : undefined
    this.#instances.push({ key: `default/m${++this.asked}`, requestedAt, runsAt, goesAt: undefined })
  }

  #candidates(): Candidate[] {
    const { pace } = this.#options
    return this.#instances.map((instance) => {
      const { key } = instance
      return { key, owner, outcome: this.#outcomeOf(instance), pace, isReleased: this.#marked.has(key), isFixed: false }
    })
  }

  #outcomeOf({ requestedAt, runsAt }: Instance): Outcome {
    const { nodes, pace } = this.#options
    if (runsAt === undefined) {
      return {
        is: 'failed',
        lane,
        at: requestedAt,
        cameUp: false,
        reason: 'InsufficientCapacity',
        requestedAt: requestedAt,
      }
    }
    if (runsAt > this.now)
      return { is: 'underWay', lanes: [lane], requestedAt, patientUntil: requestedAt + pace.patienceMs }
    const serving = { is: 'serving', lanes: [lane], requestedAt, at: runsAt } as const
    if (!nodes) return serving
    if (this.#joins(runsAt)) return { ...serving, lanes: [lane, nodeLane] }
    const dueAt = runsAt + nodes.startupMs
    if (this.now < dueAt) return { ...serving, awaitsNode: { lane: nodeLane, dueAt } }
    return {
      is: 'failed',
      lane: nodeLane,
      at: dueAt,
      cameUp: true,
      reason: 'NodeMissing',
      requestedAt: requestedAt,
      proves: [lane],
    }
  }

  #joins(runsAt: number): boolean {
    return this.#options.nodes?.come(runsAt) ?? true
  }
}
