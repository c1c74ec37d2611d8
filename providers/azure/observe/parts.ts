import { tagIn } from '../../shared/instance-name.ts'
import type { Instance } from '../../../api/instance.ts'
import type { Scope } from '../../../api/scope.ts'
import type { Disk, NetworkInterface, Resource } from '../wire/documents.ts'
import { idOf, machineOfDisk, machineOfInterface, readId } from '../wire/resource-ids.ts'
import { isAnothers, readBought, readTag } from './ownership.ts'
import { groupOfAccount } from './provider-id.ts'

/** Whether it is in the scope's region. A list that leaves the location out does not say that it is elsewhere. */
export function isHere({ location }: Resource, { region }: Scope): boolean {
  return location === undefined || location.toLowerCase().replaceAll(' ', '') === region
}

/** Network interfaces and disks that were made for machines of ours, by the machine's id. */
export class Parts {
  readonly #subscription: string
  readonly #interfaces: ReadonlyMap<string, NetworkInterface>
  readonly #disks: ReadonlyMap<string, Disk>

  constructor(scope: Scope, interfaces: readonly NetworkInterface[], disks: readonly Disk[]) {
    this.#subscription = scope.account ?? ''
    const here = (part: Resource) => isHere(part, scope)
    this.#interfaces = byMachine(interfaces.filter(here), machineOfInterface)
    this.#disks = byMachine(disks.filter(here), machineOfDisk)
  }

  /** The ids of all machines that have an interface, strangers' machines too. */
  attached(): ReadonlySet<string> {
    return new Set(this.#interfaces.keys())
  }

  interfaceOf(id: string): NetworkInterface | undefined {
    return this.#interfaces.get(id)
  }

  diskOf(id: string): Disk | undefined {
    return this.#disks.get(id)
  }

  /** One for each machine that is not there. */
  leftovers(machines: ReadonlySet<string>): Instance[] {
    const ids = new Set([...this.#interfaces.keys(), ...this.#disks.keys()])
    return [...ids].filter((id) => !machines.has(id)).flatMap((id) => this.#leftover(id) ?? [])
  }

  /** The parts of a machine that no list shows yet, and parts of strangers, are no leftovers. */
  #leftover(machine: string): Instance | undefined {
    const name = machine.slice(machine.indexOf('/') + 1)
    const tag = tagIn(name)
    const [nic, disk] = [this.#interfaces.get(machine), this.#disks.get(machine)]
    const part = nic ?? disk
    if (!part || !tag || isAttached(nic, disk) || (nic && isAnothers(nic.tags ?? {}, tag))) return undefined
    const { group, name: partName } = readId(part.id)
    return {
      id: idOf({ group, name: partName }),
      name,
      account: groupOfAccount(this.#subscription, group),
      state: 'leftover',
      started: false,
      tag: readTag(nic?.tags) ?? tag,
      ...(readBought(part.tags) ?? { capacityType: 'OnDemand', instanceType: '', zone: '' }),
      addresses: [],
    }
  }
}

function isAttached(nic: NetworkInterface | undefined, disk: Disk | undefined): boolean {
  return nic?.properties?.virtualMachine !== undefined || Boolean(disk?.managedBy)
}

function byMachine<T extends Resource>(
  parts: readonly T[],
  machineOf: (name: string) => string | undefined,
): ReadonlyMap<string, T> {
  return new Map(
    parts.flatMap((part) => {
      const { group, name } = readId(part.id)
      const machine = machineOf(name)
      return machine === undefined ? [] : [[idOf({ group, name: machine }), part] as const]
    }),
  )
}
