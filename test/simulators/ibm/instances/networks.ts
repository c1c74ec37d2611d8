import { AddressPool } from '../../kit/supply/addresses.ts'
import type { Subnet, World } from '../world.ts'

/** The addresses of all subnets. */
export class Networks {
  readonly #pools: ReadonlyMap<string, AddressPool>

  constructor({ subnets, skippedAddresses }: World) {
    this.#pools = new Map(subnets.map(({ id, cidr }) => [id, new AddressPool(cidr, { skipped: skippedAddresses })]))
  }

  of({ id }: Subnet): AddressPool {
    const pool = this.#pools.get(id)
    if (!pool) throw new Error(`Subnet ${id} is not of this world`)
    return pool
  }
}

export function sizeOf({ cidr }: Subnet): number {
  return 2 ** (32 - Number(cidr.split('/')[1]))
}
