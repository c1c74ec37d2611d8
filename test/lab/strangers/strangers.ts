import type { Ownership } from '../../../api/ownership.ts'

/**
 * Resources of other users in the account of a test, created through the same API and without our manager. They may
 * look like ours. Nothing may adopt, change or end them.
 */
export interface Strangers {
  /**
   * Creates an instance with all marks of this ownership. If the instance of this attempt exists, the new one is a copy
   * of it. Returns its id.
   */
  instance(whose: Ownership): Promise<string>
  /**
   * Creates a copy of the instance of this ownership without any manager ("launch more like this"). A copy has
   * everything that the cloud copies, and not what the cloud gives to one instance only. Returns its id.
   */
  copy(whose: Ownership): Promise<string>
  /** An instance created by hand: it has this name, and nothing else of ours. */
  byHand(name: string): Promise<string>
  /** Ends an instance of this ownership, and leaves what outlives it: a disk, a network interface. */
  leftovers(whose: Ownership): Promise<void>
}
