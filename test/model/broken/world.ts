import type { Happening } from '../happening.ts'
import type { World } from '../world.ts'

/** A world with one fault, and the law that reports it. */
export interface BrokenWorld {
  readonly fault: string
  readonly says: RegExp
  readonly befall?: (world: World) => void
  /** The events in it; left out: nothing for a while. */
  readonly happenings?: readonly Happening[]
}

export const after = (ms: number, befall: Happening['befall'] = () => {}): Happening => ({
  sentence: `Then, for ${ms} ms`,
  befall,
  thenMs: ms,
})

export const aWhile = after(240_000)
