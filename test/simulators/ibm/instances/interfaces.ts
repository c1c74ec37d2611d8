import { randomBytes } from 'node:crypto'
import { newId, wordName, type Resource } from '../ids.ts'
import type { AddressPools } from '../../kit/supply/addresses.ts'
import { Store } from './store.ts'
import type { SecurityGroup, Subnet, Zone } from '../world.ts'

/** What a virtual network interface is to be. */
export interface VirtualInterfacePlan {
  /** Undefined: IBM makes one up. */
  readonly name: string | undefined
  readonly subnet: Subnet
  readonly groups: readonly SecurityGroup[]
  readonly address: string | undefined
  readonly autoDelete: boolean
  readonly allowSpoofing: boolean
  readonly filtering: 'auto' | 'enabled' | 'disabled'
  readonly resourceGroup: Resource
}

export interface VirtualInterface extends Omit<VirtualInterfacePlan, 'address' | 'name'>, Resource {
  readonly name: string
  readonly zone: Zone
  readonly number: number
  readonly createdAt: number
  readonly address: string
  readonly reservedIp: string
  readonly mac: string
  /** Undefined: it is attached to nothing. */
  target: NetworkInterface | undefined
}

/**
 * What connects an instance to a subnet: a virtual network interface, or one of the old kind that is the instance's
 * own.
 */
export type InterfacePlan = { readonly name: string | undefined } & (
  | { readonly kind: 'own'; readonly interface: VirtualInterfacePlan }
  | { readonly kind: 'new'; readonly interface: VirtualInterfacePlan }
  | { readonly kind: 'existing'; readonly interface: VirtualInterface }
)

export interface NetworkInterface extends Resource {
  readonly instance: Resource
  readonly subnet: Subnet
  readonly groups: readonly SecurityGroup[]
  readonly address: string
  readonly reservedIp: string
  readonly allowSpoofing: boolean
  /** Undefined: it is of the old kind. */
  readonly virtual: VirtualInterface | undefined
}

/** All virtual network interfaces of the account. One that does not end with its target stays until it is deleted. */
export class VirtualInterfaces extends Store<VirtualInterface> {
  readonly #networks: AddressPools
  #made = 0

  constructor(networks: AddressPools) {
    super()
    this.#networks = networks
  }

  make({ name, address, ...plan }: VirtualInterfacePlan, now: number): VirtualInterface {
    this.#made += 1
    const { zone } = plan.subnet
    return this.add({
      ...plan,
      id: newId(zone.prefix),
      name: name ?? wordName(),
      zone,
      number: this.#made,
      createdAt: now,
      address: this.#networks.of(plan.subnet).take(address),
      reservedIp: newId(zone.prefix),
      mac: ['02', ...(randomBytes(5).toString('hex').match(/../g) ?? [])].join(':'),
      target: undefined,
    })
  }

  attach(plan: InterfacePlan, instance: Resource, now: number): NetworkInterface {
    if (plan.kind === 'own') return this.#ownOf(plan, instance)
    const virtual = plan.kind === 'new' ? this.make(plan.interface, now) : plan.interface
    const { subnet, groups, address, reservedIp, allowSpoofing } = virtual
    const shown = { subnet, groups, address, reservedIp, allowSpoofing }
    const name = plan.name ?? wordName()
    const attachment = { ...shown, id: newId(subnet.zone.prefix), name, instance, virtual }
    virtual.target = attachment
    return attachment
  }

  /** The instance is gone. */
  detach({ virtual, subnet, address }: NetworkInterface): void {
    if (!virtual) this.#networks.of(subnet).release(address)
    else {
      virtual.target = undefined
      if (virtual.autoDelete) this.remove(virtual)
    }
  }

  override remove(virtual: VirtualInterface): void {
    this.#networks.of(virtual.subnet).release(virtual.address)
    super.remove(virtual)
  }

  #ownOf({ name, interface: plan }: InterfacePlan & { kind: 'own' }, instance: Resource): NetworkInterface {
    const { subnet, groups, allowSpoofing } = plan
    const { prefix } = subnet.zone
    return {
      id: newId(prefix),
      name: name ?? wordName(),
      instance,
      subnet,
      groups,
      address: this.#networks.of(subnet).take(plan.address),
      reservedIp: newId(prefix),
      allowSpoofing,
      virtual: undefined,
    }
  }
}
