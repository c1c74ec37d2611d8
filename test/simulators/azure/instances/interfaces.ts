import { randomBytes } from 'node:crypto'
import { AddressPools, type AddressPool } from '../../kit/supply/addresses.ts'
import { ArmError } from '../http/errors.ts'
import type { DeleteOption } from './instance.ts'
import type { NetworkInterfaceValues } from '../network-interface/fields.ts'
import { Shelf, type Resource } from './resources.ts'
import type { Subnet, World } from '../world.ts'

export interface AddressPlan {
  readonly name: string
  readonly subnet: Subnet
  readonly isPrimary: boolean
  /** Undefined: whichever is free. */
  readonly wanted: string | undefined
  readonly publicAddress: { readonly id: string; readonly deleteOption: DeleteOption } | undefined
}

export interface IpConfiguration extends AddressPlan {
  readonly address: string
}

/** A network interface. */
export interface Interface extends Resource {
  readonly name: string
  readonly resourceGroup: string
  readonly mac: string
  addresses: readonly IpConfiguration[]
  given: NetworkInterfaceValues
  /** The virtual machine that it belongs to. */
  attachedTo: string | undefined
  isPrimary: boolean
  /** For whom it is kept after a launch that came to nothing; nobody else gets it, and nobody deletes it. */
  hold: { readonly vm: string; readonly until: number } | undefined
  isDeleting: boolean
}

/** As long as Azure does. */
const usualHoldMs = 180_000

export class Interfaces {
  readonly shelf: Shelf<Interface> = new Shelf()
  /** How long an interface is kept for a machine that came to nothing. */
  holdMs: number = usualHoldMs
  readonly #pools: AddressPools

  constructor({ networks, skippedAddresses }: World) {
    const subnets = networks.flatMap((network) => network.subnets)
    this.#pools = new AddressPools(subnets, { skipped: skippedAddresses })
  }

  get(id: string): Interface | undefined {
    return this.shelf.get(id)
  }

  pool(subnet: Subnet): AddressPool {
    return this.#pools.of(subnet)
  }

  /** Addresses for these; those that `before` has under the same name stay as they are. */
  assign(plans: readonly AddressPlan[], before: readonly IpConfiguration[] = []): readonly IpConfiguration[] {
    const kept = new Map(
      before
        .filter((one) => plans.some((plan) => keeps(plan, one)))
        .map((one) => [one.name.toLowerCase(), one.address] as const),
    )
    const fresh = plans.filter(({ name }) => !kept.has(name.toLowerCase()))
    for (const [subnet, wanted] of Map.groupBy(fresh, (plan) => plan.subnet)) this.#checkRoom(subnet, wanted.length)
    this.release(before.filter(({ name }) => !kept.has(name.toLowerCase())))
    return plans.map((plan) => ({
      ...plan,
      address: kept.get(plan.name.toLowerCase()) ?? this.pool(plan.subnet).take(plan.wanted),
    }))
  }

  release(addresses: readonly IpConfiguration[]): void {
    for (const { subnet, address } of addresses) this.pool(subnet).release(address)
  }

  newMac(): string {
    return ['00', '0D', '3A', ...(randomBytes(3).toString('hex').toUpperCase().match(/../g) ?? [])].join('-')
  }

  attach(one: Interface, vm: string, { isPrimary, now }: { isPrimary: boolean; now: number }): void {
    one.attachedTo = vm
    one.isPrimary = isPrimary
    one.hold = undefined
    this.shelf.note(one, now)
  }

  detach(one: Interface, now: number): void {
    one.attachedTo = undefined
    one.isPrimary = false
    this.shelf.note(one, now)
  }

  remove(one: Interface, now: number): void {
    this.release(one.addresses)
    this.shelf.remove(one, now)
  }

  #checkRoom(subnet: Subnet, count: number): void {
    if (this.pool(subnet).free >= count) return
    throw new ArmError(
      'SubnetIsFull',
      `Subnet ${subnet.name} with address prefix ${subnet.cidr} does not have enough capacity for ${count} IP addresses.`,
    )
  }
}

/** Whether the configuration of before serves for this plan. */
function keeps(plan: AddressPlan, before: IpConfiguration): boolean {
  const sameName = plan.name.toLowerCase() === before.name.toLowerCase()
  return sameName && plan.subnet === before.subnet && (plan.wanted ?? before.address) === before.address
}
