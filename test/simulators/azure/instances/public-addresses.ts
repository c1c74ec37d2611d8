import { Shelf, type Resource } from './resources.ts'

export interface PublicAddress extends Resource {
  readonly name: string
  readonly resourceGroup: string
  readonly sku: string
  readonly method: 'Static' | 'Dynamic'
  readonly zones: readonly string[]
  readonly address: string
  /** The id of the interface's configuration that it belongs to. */
  attachedTo: string | undefined
}

export class PublicAddresses {
  readonly shelf: Shelf<PublicAddress> = new Shelf()

  get(id: string): PublicAddress | undefined {
    return this.shelf.get(id)
  }

  attach(one: PublicAddress, to: string | undefined, now: number): void {
    one.attachedTo = to
    this.shelf.note(one, now)
  }

  /** Some public address, never the same twice. */
  newAddress(number: number): string {
    return ['20', '9', String(Math.floor(number / 250) % 250), String((number % 250) + 1)].join('.')
  }
}
