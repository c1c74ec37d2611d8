import type { Process } from './process.ts'
import type { WorldClock } from './world-clock.ts'
import type { WriteName } from './writes.ts'

/** The calls that the manager makes. */
export type CallName = 'read' | 'write' | 'create' | 'find' | 'list' | 'terminate' | 'notices'

/** The fate of the next call of a name. */
export type Fate =
  /** It never arrives, or is not done, and the caller gets an error. */
  | { readonly is: 'refused'; readonly error: Error }
  /** It is done, and the answer is lost. */
  | { readonly is: 'unanswered'; readonly error: Error }
  /** It arrives late, after the caller's timeout. */
  | { readonly is: 'late'; readonly ms: number; readonly givenUpAfterMs: number; readonly error: Error }
  /** It takes long. */
  | { readonly is: 'slow'; readonly ms: number }
  /** The caller is killed, or stopped for a while, right before the call is sent or right after it. */
  | { readonly is: 'killed' | 'stopped'; readonly when: 'before' | 'after' }

/** Every call of every process goes through here, and meets its prepared fate. */
export class Wire {
  /** The number of calls, by name. */
  readonly calls: Record<CallName, number> = {
    read: 0,
    write: 0,
    create: 0,
    find: 0,
    list: 0,
    terminate: 0,
    notices: 0,
  }
  /** Called when a fate strikes a process. */
  onStruck: (process: Process, by: 'killed' | 'stopped') => void = () => {}
  readonly #clock: WorldClock
  #prepared: { on: CallName | 'any'; after: number; fate: Fate; of: WriteName | undefined }[] = []

  constructor(clock: WorldClock) {
    this.#clock = clock
  }

  /** For the next call of this name, or the one that comes `after` so many others. */
  prepare(on: CallName | 'any', fate: Fate, after = 0): void {
    this.#prepared.push({ on, after, fate, of: undefined })
  }

  /** For the next write of this kind. */
  prepareWrite(of: WriteName, fate: Fate): void {
    this.#prepared.push({ on: 'write', after: 0, fate, of })
  }

  calm(): void {
    this.#prepared = []
  }

  /** `run` happens at one moment, at the server. `of`: the kind of write. */
  call<T>(process: Process, name: CallName, run: () => T, of?: WriteName): Promise<T> {
    return new Promise((resolve, reject) => {
      if (process.isDead) return
      this.calls[name]++
      const fate = this.#fateOf(name, of)
      const answer = (settle: () => void, afterMs: number) => this.#clock.after(afterMs, () => process.reach(settle))
      const arrive = () => {
        if (fate?.is === 'refused') {
          answer(() => reject(fate.error), latencyMs[name])
          return
        }
        const outcome = attempt(run)
        const struck = this.#strike(process, fate, 'after')
        if (struck === 'killed') return
        if (fate?.is === 'late') return
        const settle = () => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value))
        answer(fate?.is === 'unanswered' ? () => reject(fate.error) : settle, latencyMs[name])
      }
      if (this.#strike(process, fate, 'before') === 'killed') return
      // A stopped process sends it when it continues.
      process.reach(() => {
        if (fate?.is === 'late') answer(() => reject(fate.error), fate.givenUpAfterMs)
        if (fate?.is === 'late' || fate?.is === 'slow') this.#clock.after(fate.ms, arrive)
        else arrive()
      })
    })
  }

  #fateOf(name: CallName, write: WriteName | undefined): Fate | undefined {
    const isFor = (of: WriteName | undefined) => of === undefined || of === write
    const fits = this.#prepared.filter(({ on, of }) => (on === name || on === 'any') && isFor(of))
    const due = fits.find(({ after }) => after === 0)
    for (const waiting of fits) if (waiting !== due) waiting.after = Math.max(0, waiting.after - 1)
    if (due) this.#prepared = this.#prepared.filter((other) => other !== due)
    return due?.fate
  }

  #strike(process: Process, fate: Fate | undefined, when: 'before' | 'after'): 'killed' | 'stopped' | undefined {
    if ((fate?.is !== 'killed' && fate?.is !== 'stopped') || fate.when !== when) return undefined
    this.onStruck(process, fate.is)
    return fate.is
  }
}

/** From the server back to the caller. */
const latencyMs: Readonly<Record<CallName, number>> = {
  read: 2,
  write: 5,
  create: 800,
  find: 100,
  list: 300,
  terminate: 300,
  notices: 300,
}

function attempt<T>(run: () => T): { value: T } | { error: unknown } {
  try {
    return { value: run() }
  } catch (error) {
    return { error }
  }
}
