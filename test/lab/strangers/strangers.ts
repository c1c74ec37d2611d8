import type { Ownership } from '../../../api/ownership.ts'

/**
 * What others make in the account of a test, through the same API and past our manager. Whatever of it looks like ours
 * is not: nobody may adopt, change or end it.
 */
export interface Strangers {
  /**
   * An instance with everything that ours show of themselves, for this ownership. Where the instance of this attempt is
   * there, it is a copy of it. Answers with its id.
   */
  instance(whose: Ownership): Promise<string>
  /**
   * A copy of the instance of this ownership, made past every manager ("launch more like this"): whatever a copy takes
   * along is the same, and what the cloud gives to one instance only is not. Answers with its id.
   */
  copy(whose: Ownership): Promise<string>
  /** One that somebody made by hand: it has this name, and nothing else of ours. */
  byHand(name: string): Promise<string>
  /** An instance of this ownership is ended, and what outlives it stays: a disk, a network interface. */
  leftovers(whose: Ownership): Promise<void>
}
