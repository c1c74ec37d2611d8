import { rfc3339 } from '../../api/conditions.ts'
import type { Clock } from '../../api/ctx.ts'
import type { Machine } from '../../api/machine.ts'
import { keyOf } from '../runtime/client/resource.ts'

/** After this time the cache alone counts: something else may have become of the Machine. */
const forgottenAfterMs = 30_000

/**
 * Machines that this process has deleted and that the cache still shows as living. In a storm the events of the deletes
 * are seconds late, and what follows a delete need not wait for them.
 */
export class DeletedMachines {
  /** By Machine. */
  readonly #deleted = new Map<string, { readonly machine: Machine; readonly at: number }>()

  /** `machine`: as it stood before our delete. Returns it as it stands now. */
  note(machine: Machine, clock: Clock): Machine {
    const metadata = { ...machine.metadata, deletionTimestamp: rfc3339(clock.now()) }
    const deleted = { ...machine, metadata }
    this.#deleted.set(keyOf(machine), { machine: deleted, at: clock.monotonic() })
    return deleted
  }

  /** The Machine as it stands since our delete. Undefined: the cache shows it, or nothing is known. */
  of(cached: Machine, clock: Clock): Machine | undefined {
    const key = keyOf(cached)
    const known = this.#deleted.get(key)
    if (!known) return undefined
    const { uid, deletionTimestamp } = cached.metadata
    const isLate = deletionTimestamp === undefined && uid === known.machine.metadata.uid
    if (isLate && clock.monotonic() - known.at < forgottenAfterMs) return known.machine
    this.forget(key)
    return undefined
  }

  forget(key: string): void {
    this.#deleted.delete(key)
  }
}
