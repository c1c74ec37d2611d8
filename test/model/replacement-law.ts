import { findCondition } from '../../api/conditions.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'

/** A process that is stopped, cut off and late hears of a Node after this time. */
const heardOfAfterMs = 200_000
/** The most machines of a MachineSet. */
const mostReplicas = 3
/** The pause after the first failure, which then doubles: the default without a policy. */
const firstPauseMs = 30_000

/** It was refused, or waits because others were. */
const lacksCapacity: ReadonlySet<string | undefined> = new Set(['InsufficientCapacity', 'CapacityBackoff'])

/**
 * Core replaces no machine that serves and never failed, and no more machines than the pauses allow while there is no
 * capacity.
 */
export class ReplacementLaw {
  readonly #broken: string[]
  readonly #now: () => number
  /** The end of its instance was announced. */
  readonly #isNoticed: (machine: Machine) => boolean
  /** Machines whose instance failed, or was refused, by uid of the infra machine. */
  readonly #failed = new Set<string>()
  /** The time of its Node, by uid of the Machine. */
  readonly #joinedAt = new Map<string, number>()
  #drought: { since: number; until: number; replaced: number } | undefined

  constructor(broken: string[], now: () => number, isNoticed: (machine: Machine) => boolean) {
    this.#broken = broken
    this.#now = now
    this.#isNoticed = isNoticed
  }

  /** An infra machine was written. */
  wrote({ status, metadata: { uid = '' } }: InfraMachine): void {
    if (findCondition(status?.conditions, 'Ready')?.status === 'False') this.#failed.add(uid)
  }

  /** A Machine was written. */
  heard({ metadata: { uid = '' }, status }: Machine): void {
    if (status?.nodeRef && !this.#joinedAt.has(uid)) this.#joinedAt.set(uid, this.#now())
  }

  /** Core removes a Machine that the remediation controller has marked. */
  removed(machine: Machine, infra: InfraMachine | undefined): void {
    const { metadata } = machine
    const joinedAt = this.#joinedAt.get(metadata.uid ?? '') ?? Infinity
    const isKnownToServe = this.#now() - joinedAt > heardOfAfterMs
    const hasFailed = this.#failed.has(infra?.metadata.uid ?? '') || this.#isNoticed(machine)
    if (isKnownToServe && !hasFailed) this.#broken.push(`${metadata.name} was replaced and had never failed`)
    const ready = findCondition(infra?.status?.conditions, 'Ready')
    if (lacksCapacity.has(ready?.reason)) this.#isInTurn()
  }

  droughtBegins(ms: number): void {
    const since = this.#now()
    this.#drought = { since, until: Math.max(since + ms, this.#drought?.until ?? 0), replaced: 0 }
  }

  droughtIsDisturbed(): void {
    this.#drought = undefined
  }

  /** `uids`: the infra machines that there are again. */
  restored(uids: readonly string[]): void {
    for (const uid of uids) this.#failed.delete(uid)
    this.#joinedAt.clear()
  }

  #isInTurn(): void {
    const drought = this.#drought
    const now = this.#now()
    if (!drought || now > drought.until) return
    drought.replaced++
    const steps = Math.floor(Math.log2((now - drought.since) / firstPauseMs + 1))
    if (drought.replaced <= steps + mostReplicas) return
    this.#broken.push(`${drought.replaced} machines were replaced in ${now - drought.since} ms without capacity`)
  }
}
