import type { World } from './world.ts'

/** One event, as a sentence and as a function. */
export interface Happening {
  readonly sentence: string
  readonly befall: (world: World) => void
  /** The time without another event. */
  readonly thenMs?: number
}
