import type { Instances } from '../../../providers/instances.ts'
import type { Happening } from '../happening.ts'
import type { Share } from '../pools/share.ts'
import type { World } from '../world.ts'

/** A world with one fault, and the law that reports it. */
export interface BrokenWorld {
  readonly fault: string
  readonly says: RegExp
  /** All machines have fallback. */
  readonly hasFallback?: true
  /** And this share of those of a MachineSet is on demand. */
  readonly share?: Share
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

/** Replaces the manager's access to the cloud. */
export function through(world: World, changed: (honest: Instances) => Partial<Instances>): void {
  const { cloud } = world
  const honestFor = cloud.for.bind(cloud)
  cloud.for = (process) => {
    const honest = honestFor(process)
    return { ...honest, ...changed(honest) }
  }
  world.managers.kill()
}
