/** The addresses of one subnetwork. GCE keeps the first two and the last two for itself. */
export class AddressPool {
  readonly #first: number
  readonly #last: number
  readonly #taken = new Set<number>()
  #next: number

  constructor(cidr: string) {
    const [base = '', bits = ''] = cidr.split('/')
    this.#first = toNumber(base) + 2
    this.#last = toNumber(base) + 2 ** (32 - Number(bits)) - 3
    this.#next = this.#first
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

  /** Goes round the subnetwork, so that an address does not come back at once. Undefined: there is none left. */
  take(wanted?: string): string | undefined {
    if (wanted !== undefined) {
      this.#taken.add(toNumber(wanted))
      return wanted
    }
    if (this.free === 0) return undefined
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

function toNumber(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}

function toText(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
}
