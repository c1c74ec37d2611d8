interface PoolOptions {
  /** So many are passed over at first, and come last. */
  readonly skipped?: number
  /** How many of the first and of the last a cloud keeps for itself. */
  readonly kept?: { readonly first: number; readonly last: number }
}

/** The addresses of one subnet. Most clouds keep the first four and the last for themselves. */
export class AddressPool {
  readonly #first: number
  readonly #last: number
  readonly #taken = new Set<number>()
  #next: number

  constructor(cidr: string, { skipped = 0, kept = { first: 4, last: 1 } }: PoolOptions = {}) {
    const [base = '', bits = ''] = cidr.split('/')
    const size = 2 ** (32 - Number(bits))
    this.#first = toNumber(base) + kept.first
    this.#last = toNumber(base) + size - 1 - kept.last
    this.#next = this.#first + (skipped % (this.#last - this.#first + 1))
  }

  get free(): number {
    return this.#last - this.#first + 1 - this.#taken.size
  }

  get taken(): readonly string[] {
    return [...this.#taken].map(toText)
  }

  holds(address: string): boolean {
    const number = toNumber(address)
    return number >= this.#first && number <= this.#last
  }

  has(address: string): boolean {
    return this.#taken.has(toNumber(address))
  }

  /** Goes round the subnet, so that an address, and with it a Node's name, does not come back at once. */
  take(wanted?: string): string {
    if (wanted !== undefined) {
      this.#taken.add(toNumber(wanted))
      return wanted
    }
    if (this.free === 0) throw new Error('No address of this subnet is left; ask `free` before.')
    while (this.#taken.has(this.#next)) this.#step()
    const taken = this.#next
    this.#taken.add(taken)
    this.#step()
    return toText(taken)
  }

  release(address: string): void {
    this.#taken.delete(toNumber(address))
  }

  #step(): void {
    this.#next = this.#next === this.#last ? this.#first : this.#next + 1
  }
}

export function isAddress(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)
}

/** The addresses of all subnets. */
export class AddressPools {
  readonly #byId: ReadonlyMap<string, AddressPool>

  constructor(subnets: readonly { readonly id: string; readonly cidr: string }[], options: PoolOptions) {
    this.#byId = new Map(subnets.map(({ id, cidr }) => [id, new AddressPool(cidr, options)]))
  }

  of({ id }: { readonly id: string }): AddressPool {
    const pool = this.#byId.get(id)
    if (!pool) throw new Error(`Subnet ${id} is not of this world`)
    return pool
  }

  /** Addresses that somebody holds. */
  taken(): readonly string[] {
    return [...this.#byId.values()].flatMap(({ taken }) => taken)
  }
}

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

function toText(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
}
