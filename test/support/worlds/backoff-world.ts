import { readBackoff, writeBackoff } from '../../../api/rules/backoff-annotation.ts'
import {
  afterFailure,
  pauseEndsAt,
  wholeSecond,
  type BackoffGroup,
  type BackoffTerms,
} from '../../../api/rules/backoff-group.ts'
import { admission } from '../../../api/rules/capacity/admission.ts'
import type { Outcome } from '../../../api/rules/outcome.ts'
import { planRemediation, type Candidate, type Plan } from '../../../api/rules/remediation.ts'

export const group = 'pool aws/default/us-east-1 Spot:m5.large:us-east-1a'
const nodeGroup = 'node MachineDeployment default/md t1'
const owner = 'MachineDeployment default/md'

export interface BackoffWorldOptions {
  readonly machines: number
  readonly terms: BackoffTerms
  /** Whether the offering can be had at this time. */
  readonly hasCapacity: (now: number) => boolean
  /** From the tag on a Machine until the cloud is asked for its replacement, and from there until it runs. */
  readonly removalMs: number
  readonly bootMs: number
  /** Left out: every Node comes at once. `come`: whether that of an instance which runs since then does. */
  readonly nodes?: { readonly startupMs: number; readonly come: (since: number) => boolean }
  /** Machines ask the groups before they ask the cloud. Left out, each asks when it is made. */
  readonly waits?: true
  /** When the process ends and another takes over. */
  readonly restarts?: ReadonlySet<number>
}

interface Instance {
  key: string
  madeAt: number
  /** Undefined: it waits for its turn. */
  requestedAt: number | undefined
  /** Undefined: no capacity. */
  runsAt: number | undefined
  goesAt: number | undefined
}

/** A cloud with one offering, core that replaces what is marked, and the plan, by the second. */
export class BackoffWorld {
  now = Date.UTC(2026, 0, 1)
  groups: ReadonlyMap<string, BackoffGroup> = new Map()
  asked = 0
  /** Calls to the cloud, those before the end of a pause, and the longest wait of a machine before its call. */
  calls = 0
  callsInPause = 0
  longestWaitMs = 0
  /** Whoever is let go, on the way out or being asked for: one at a time, unless the group is open. */
  mostAtOnce = 0
  readonly delays: number[] = []
  readonly #options: BackoffWorldOptions
  #instances: Instance[] = []
  #marked = new Set<string>()

  constructor(options: BackoffWorldOptions) {
    this.#options = options
    for (let n = 0; n < options.machines; n++) this.#make()
    for (const instance of this.#instances) this.#ask(instance)
  }

  /** Some that their owner makes later. */
  scaleUp(machines: number): void {
    for (let n = 0; n < machines; n++) this.#make()
  }

  get running(): number {
    return this.#instances.filter(({ runsAt }) => runsAt !== undefined && runsAt <= this.now).length
  }

  get withNode(): number {
    return this.#instances.filter(({ runsAt }) => runsAt !== undefined && runsAt <= this.now && this.#joins(runsAt))
      .length
  }

  get group(): BackoffGroup | undefined {
    return this.groups.get(group)
  }

  run(ms: number): void {
    for (const end = this.now + ms; this.now < end; this.now += 1_000) this.#second()
  }

  plan(): Plan {
    return planRemediation({ now: this.now, machines: this.#candidates(), groups: this.groups })
  }

  /** What is planned stands in annotations and labels. */
  begin({ groups, decisions }: Plan): void {
    this.groups = groups
    this.#marked = new Set([...decisions].filter(([, decision]) => decision.do === 'replace').map(([key]) => key))
  }

  /** What an annotation keeps is all that is left. */
  #restart(): void {
    this.groups = readBackoff(writeBackoff(new Map([['p', this.groups]]))).get('p') ?? new Map()
  }

  #second(): void {
    const { terms, restarts } = this.#options
    const failures = this.group?.failures
    if (restarts?.has(this.now)) this.#restart()
    this.begin(this.plan())
    const known = this.group
    if (known && known.failures !== failures) this.delays.push(pauseEndsAt(known, terms) - known.failedAt)
    for (const instance of this.#instances) {
      if (this.#marked.has(instance.key)) instance.goesAt ??= this.now + this.#options.removalMs
    }
    this.#enterUnrequested()
    const gone = this.#instances.filter(({ goesAt }) => goesAt !== undefined && goesAt <= this.now)
    this.#instances = this.#instances.filter((instance) => !gone.includes(instance))
    for (const _ of gone) this.#make()
    if (known && known.openedAt === undefined) this.mostAtOnce = Math.max(this.mostAtOnce, this.#onTheirWay(known))
  }

  #enterUnrequested(): void {
    for (const instance of this.#instances) if (instance.requestedAt === undefined) this.#enter(instance)
  }

  #onTheirWay({ failedAt }: BackoffGroup): number {
    const isUnderWay = ({ requestedAt, runsAt, goesAt }: Instance) =>
      goesAt !== undefined ||
      (requestedAt !== undefined && requestedAt > failedAt && runsAt !== undefined && runsAt > this.now)
    return this.#instances.filter(isUnderWay).length
  }

  #make(): void {
    const instance: Instance = {
      key: `default/m${++this.asked}`,
      madeAt: this.now,
      requestedAt: undefined,
      runsAt: undefined,
      goesAt: undefined,
    }
    this.#instances.push(instance)
    if (this.#options.waits !== true) this.#ask(instance)
  }

  #enter(instance: Instance): void {
    const { terms } = this.#options
    const known = this.group
    const asks = this.#instances.flatMap(({ key: machine, requestedAt: at, runsAt }) => {
      const isRefused = at !== undefined && runsAt === undefined
      return at === undefined || isRefused ? [] : [{ machine, owner, at, isSettled: (runsAt ?? Infinity) <= this.now }]
    })
    const until = instance.madeAt + terms.maxMs
    const asker = { machine: instance.key, owner }
    const answer = admission([{ group: known, asks }], { asker, terms, now: this.now, patientUntil: until })
    if (answer.is === 'waiting') return
    if (known && this.now < until && this.now < pauseEndsAt(known, terms)) this.callsInPause++
    this.#ask(instance)
  }

  #ask(instance: Instance): void {
    const { hasCapacity, bootMs, terms } = this.#options
    this.calls++
    this.longestWaitMs = Math.max(this.longestWaitMs, this.now - instance.madeAt)
    instance.requestedAt = wholeSecond(this.now)
    if (hasCapacity(this.now)) instance.runsAt = instance.requestedAt + bootMs
    // As a launch tells it at once.
    else if (this.#options.waits) {
      const failure = { at: instance.requestedAt, cameUp: false }
      this.groups = new Map(this.groups).set(group, afterFailure(this.group, failure, terms))
    }
  }

  #candidates(): Candidate[] {
    const { terms } = this.#options
    return this.#instances.map((instance) => {
      const { key } = instance
      return {
        key,
        owner,
        outcome: this.#outcomeOf(instance),
        terms,
        isReleased: this.#marked.has(key),
        isFixed: false,
      }
    })
  }

  #outcomeOf({ madeAt, requestedAt, runsAt }: Instance): Outcome {
    const { nodes, terms } = this.#options
    if (requestedAt === undefined)
      return { is: 'waiting', groups: [group], since: madeAt, patientUntil: madeAt + terms.maxMs }
    if (runsAt === undefined) {
      return {
        is: 'failed',
        group,
        at: requestedAt,
        cameUp: false,
        reason: 'InsufficientCapacity',
        requestedAt,
      }
    }
    if (runsAt > this.now)
      return { is: 'underWay', groups: [group], requestedAt, patientUntil: requestedAt + terms.patienceMs }
    const serving = { is: 'serving', groups: [group], requestedAt, at: runsAt } as const
    if (!nodes) return serving
    if (this.#joins(runsAt)) return { ...serving, groups: [group, nodeGroup] }
    const dueAt = runsAt + nodes.startupMs
    if (this.now < dueAt) return { ...serving, awaitsNode: { group: nodeGroup, dueAt } }
    return {
      is: 'failed',
      group: nodeGroup,
      at: dueAt,
      cameUp: true,
      reason: 'NodeMissing',
      requestedAt,
      proves: [group],
    }
  }

  #joins(runsAt: number): boolean {
    return this.#options.nodes?.come(runsAt) ?? true
  }
}
