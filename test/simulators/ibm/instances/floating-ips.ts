import { newId, wordName, type Resource } from '../ids.ts'
import type { NetworkInterface, VirtualInterface } from './interfaces.ts'
import { Store } from './store.ts'
import type { World, Zone } from '../world.ts'

export interface FloatingIp extends Resource {
  readonly name: string
  readonly number: number
  readonly zone: Zone
  readonly address: string
  readonly createdAt: number
  readonly resourceGroup: Resource
  /** Undefined: it is kept for later. */
  target: FloatingIpTarget | undefined
}

export type FloatingIpTarget =
  | { readonly kind: 'network_interface'; readonly interface: NetworkInterface }
  | { readonly kind: 'virtual_network_interface'; readonly interface: VirtualInterface }

type Wanted = Pick<FloatingIp, 'zone' | 'resourceGroup' | 'target'> & { readonly name: string | undefined }

/** Public addresses. None of them ends with what it leads to. */
export class FloatingIps extends Store<FloatingIp> {
  readonly #prefix: string
  #made = 0

  constructor({ prefix }: World) {
    super()
    this.#prefix = prefix
  }

  make({ name = wordName(), ...wanted }: Wanted, now: number): FloatingIp {
    this.#made += 1
    const address = `169.48.${Math.floor(this.#made / 250)}.${1 + (this.#made % 250)}`
    return this.add({ ...wanted, id: newId(this.#prefix), name, number: this.#made, address, createdAt: now })
  }

  /** What they led to is gone. */
  admitted(id: string): void {
    for (const one of this.all) if (one.target?.interface.id === id) one.target = undefined
  }
}
