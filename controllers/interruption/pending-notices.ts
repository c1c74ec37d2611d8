import type { Notice } from '../../api/notice.ts'
import { isOfNode } from '../../api/rules/interruption/node-notice.ts'

interface Pending {
  readonly notice: Notice
  readonly done: PromiseWithResolvers<void>
}

/**
 * Notices that are not decided yet. Of a Machine's notices from one source and of one kind the one with the earlier
 * deadline counts. Sources that show a notice again and again need no memory, and sources that wait for the decision
 * await `decided`.
 */
export class PendingNotices {
  /** By Machine, then by what the notices have in common. */
  readonly #byMachine = new Map<string, Map<string, Pending>>()

  /** Machines whose Node has taken its notice back. */
  readonly #withdrawn = new Set<string>()

  /** The Node of the Machine says nothing any more. */
  withdraw(machine: string): void {
    this.#withdrawn.add(machine)
    for (const notice of this.#all(machine)) if (isOfNode(notice)) this.decided(machine, notice)
  }

  /** What a source does not show any more is decided no more. */
  drop(isOver: (notice: Notice) => boolean): void {
    // A Map may lose entries while it is iterated.
    for (const machine of this.#byMachine.keys()) {
      for (const notice of this.#all(machine)) if (isOver(notice)) this.decided(machine, notice)
    }
  }

  isWithdrawn(machine: string): boolean {
    return this.#withdrawn.has(machine)
  }

  /** Resolves when the decision about the Machine's notice is written, or the Machine is gone. */
  give(machine: string, notice: Notice): Promise<void> {
    if (isOfNode(notice)) this.#withdrawn.delete(machine)
    const ofMachine = this.#byMachine.get(machine) ?? new Map<string, Pending>()
    this.#byMachine.set(machine, ofMachine)
    const known = ofMachine.get(sortOf(notice))
    const done = known?.done ?? Promise.withResolvers<void>()
    const isEarlier = !known || (notice.deadline ?? Infinity) < (known.notice.deadline ?? Infinity)
    ofMachine.set(sortOf(notice), { notice: isEarlier ? notice : known.notice, done })
    return done.promise
  }

  /** The one that came first. */
  of(machine: string): Notice | undefined {
    return this.#all(machine)[0]
  }

  /** Whether `forget` has something to forget. */
  has(machine: string): boolean {
    return this.#byMachine.has(machine) || this.#withdrawn.has(machine)
  }

  /** A notice that came meanwhile stays. */
  decided(machine: string, notice: Notice): void {
    const ofMachine = this.#byMachine.get(machine)
    const known = ofMachine?.get(sortOf(notice))
    if (!ofMachine || known?.notice !== notice) return
    ofMachine.delete(sortOf(notice))
    if (ofMachine.size === 0) this.#byMachine.delete(machine)
    known.done.resolve()
  }

  forget(machine: string): void {
    this.#withdrawn.delete(machine)
    for (const notice of this.#all(machine)) this.decided(machine, notice)
  }

  #all(machine: string): readonly Notice[] {
    return Array.from(this.#byMachine.get(machine)?.values() ?? [], ({ notice }) => notice)
  }
}

/** A weaker notice must not hide a stronger one, and its source may take it back. */
function sortOf({ source, kind, instance }: Notice): string {
  return `${source} ${kind} ${instance}`
}
