import { readAttempt } from '../../../api/attempt.ts'
import { readInterruption } from '../../../api/interruption.ts'
import { requests } from '../../../api/labels.ts'
import { isHooked } from '../../../api/rules/interruption/interrupted-machine.ts'
import { machines } from '../../../api/kinds.ts'
import type { Machine } from '../../../api/machine.ts'
import type { Resource } from '../../../api/meta.ts'
import { keyOf, type ObjectRef } from '../../../controllers/runtime/client/resource.ts'
import type { FakeApiserver } from '../../support/fakes/fake-apiserver.ts'
import type { Core } from '../core.ts'

interface Known {
  readonly apiserver: FakeApiserver
  readonly core: () => Core
  readonly broken: string[]
}

/**
 * What must never happen because of a notice:
 * - the manager deletes a Machine, and nobody has announced the end of the instance that it has at that time;
 * - a living Machine is not counted by the MachineSet that made it;
 * - a MachineSet makes a replacement ahead of a Machine whose end nobody has announced.
 */
export class InterruptionLaws {
  readonly #known: Known
  /** Instances whose end was announced. A notice that is taken back may have been acted on before. */
  readonly #announced = new Set<string>()
  /** What came of all notices: a law about what never happens says nothing. */
  readonly seen = { deleted: 0, ahead: 0 }
  /** Machines that waited at our hook, by uid. */
  readonly hooked = new Set<string>()
  /** Machines of which a user has asked for a fire drill, by uid. */
  readonly #rehearsed = new Set<string>()

  constructor(known: Known) {
    this.#known = known
  }

  announced(instance: string): void {
    this.#announced.add(instance)
  }

  /** A Machine was written. */
  heard(machine: Machine): void {
    const { uid = '', annotations = {}, name } = machine.metadata
    if (requests.rehearse in annotations) this.#rehearsed.add(uid)
    if (isHooked(machine) && readInterruption(machine).is === 'ours') this.hooked.add(uid)
    if (this.#known.core().sets.isDisowned(machine))
      this.#known.broken.push(`${name} lives, and its MachineSet does not count it`)
  }

  /** The request of a process to delete a Machine has arrived. */
  deletes({ kind }: Resource, { namespace, name }: ObjectRef, { uid }: { readonly uid?: string | undefined }): void {
    if (kind !== machines.kind) return
    const key = `${namespace}/${name}`
    const machine = this.#known.apiserver.get('Machine', key) as Machine | undefined
    const isMeant = machine !== undefined && (uid === undefined || uid === machine.metadata.uid)
    if (!isMeant || machine.metadata.deletionTimestamp !== undefined) return
    this.seen.deleted++
    if (this.isNoticed(machine)) return
    this.#known.broken.push(
      `${key} is deleted, and nobody has announced the end of its instance ${this.#instanceOf(machine)}`,
    )
  }

  /** A MachineSet makes a Machine, and these that it made are there and do not count. */
  replacesAhead(uncounted: readonly Machine[]): void {
    if (uncounted.length > 0) this.seen.ahead++
    for (const machine of uncounted) {
      if (this.isNoticed(machine)) continue
      this.#known.broken.push(`${keyOf(machine)} is replaced ahead, and nobody has announced the end of its instance`)
    }
  }

  /** The end of the instance that the Machine has now was announced. */
  isNoticed(machine: Machine): boolean {
    return this.#rehearsed.has(machine.metadata.uid ?? '') || this.#announced.has(this.#instanceOf(machine) ?? '')
  }

  /** Without an infra machine only the decision knows it. */
  #instanceOf(machine: Machine): string | undefined {
    const infra = this.#known.core().infraOf(machine)
    const attempt = infra && readAttempt(infra)
    if (infra) return attempt?.is === 'ours' ? attempt.attempt.handle : undefined
    const decision = readInterruption(machine)
    return decision.is === 'ours' ? decision.interruption.instance : undefined
  }
}
