import type { Copy } from '../fake-apiserver.ts'
import { tokenOf, type World } from './world.ts'

/** Longer than any call is under way. */
export const restoringMs = 60_000

/** A copy of etcd, and what becomes of everything when it is put back. */
export class Backup {
  readonly #world: World
  readonly #copy: Copy
  /** The tokens of all attempts, by uid of their machines. */
  readonly #tokens: ReadonlyMap<string, string | undefined>

  constructor(world: World) {
    this.#world = world
    this.#copy = world.apiserver.copy()
    this.#tokens = tokensIn(world)
  }

  /** The API server goes, and comes back with it. `restarts`: the manager is started again, too. */
  putBack({ restarts }: { restarts: boolean }): void {
    const { clock, managers } = this.#world
    managers.takeApiserverDown(restoringMs)
    // A moment earlier, so that who asks right afterwards is shown it.
    clock.after(restoringMs - 1, () => this.#swap(restarts))
  }

  #swap(restarts: boolean): void {
    const world = this.#world
    // What stood in nobody's object any more when it could be seen for the first time nobody can know.
    for (const machine of world.machines()) {
      const uid = machine.metadata.uid ?? ''
      if (this.#tokens.has(uid) && this.#tokens.get(uid) !== tokenOf(machine)) world.forgiveLossOf(machine)
    }
    const owners = world.ownerIds()
    const before = [...world.apiserver.objects.keys()]
    world.apiserver.putBack(this.#copy)
    const known = world.ownerIds()
    world.managers.endThoseWhoStandStill()
    if (restarts) world.managers.kill()
    world.restored(new Set([...before, ...this.#copy.objects.keys()]), {
      forgotten: owners.filter((owner) => !known.includes(owner)),
    })
  }
}

function tokensIn(world: World): Map<string, string | undefined> {
  return new Map(world.machines().map((machine) => [machine.metadata.uid ?? '', tokenOf(machine)]))
}
