import { readAttempt } from '../../api/attempt.ts'
import type { InfraMachine } from '../../api/machine.ts'
import { keyOf } from '../../controllers/runtime/client/resource.ts'
import type { Copy } from '../support/fakes/fake-apiserver.ts'
import type { Lease } from './managers.ts'
import { tokenOf, type World } from './world.ts'

/** Longer than any call takes. */
export const restoringMs = 60_000

/** A copy of etcd, and its restore. */
export class Backup {
  readonly #world: World
  readonly #copy: Copy
  readonly #lease: Lease | undefined

  constructor(world: World) {
    this.#world = world
    this.#copy = world.apiserver.copy()
    this.#lease = world.managers.lease
  }

  /** The API server stops and comes back with the copy. `restarts`: the manager is started again, too. */
  putBack({ restarts }: { restarts: boolean }): void {
    const { clock, managers } = this.#world
    managers.takeApiserverDown(restoringMs)
    // A moment earlier, so that a read right after it shows it.
    clock.after(restoringMs - 1, () => this.#swap(restarts))
  }

  #swap(restarts: boolean): void {
    const world = this.#world
    const { apiserver, managers } = world
    const machines = world.machines()
    const owners = world.ownerIds()
    const keys = new Set([...apiserver.objects.keys(), ...this.#copy.objects.keys()])
    apiserver.putBack(this.#copy)
    const known = world.ownerIds()
    const forgotten = owners.filter((owner) => !known.includes(owner))
    for (const machine of machines) {
      if (forgotten.includes(ownerOf(machine) ?? '')) world.laws.excuse(machine)
      // An instance that no object leads to when lists first show it cannot be known.
      else if (this.#isAnother(machine)) world.forgiveLossOf(machine)
    }
    managers.endThoseWhoStandStill()
    if (restarts) managers.kill()
    managers.putLeaseBack(this.#lease)
    world.restored(keys, { forgotten })
  }

  /** Its attempt is not the one in the copy. */
  #isAnother(machine: InfraMachine): boolean {
    const copied = this.#copy.objects.get(`AWSMachine ${keyOf(machine)}`) as InfraMachine | undefined
    return copied !== undefined && copied.metadata.uid === machine.metadata.uid && tokenOf(copied) !== tokenOf(machine)
  }
}

function ownerOf(machine: InfraMachine): string | undefined {
  const reading = readAttempt(machine)
  return reading.is === 'ours' ? reading.attempt.owner : undefined
}
