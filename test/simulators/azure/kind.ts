import type { Account } from './account.ts'
import { given, type Action, type ArmRequest } from './http/action.ts'
import type { ArmError } from './http/errors.ts'
import { groupCalled, isInGroup, resourceNotFound } from './groups.ts'
import { idOf, type ResourceType } from './ids.ts'
import { page } from './http/listing.ts'
import type { Resource, Shelf } from './instances/resources.ts'
import { paths } from './http/versions.ts'

/** A kind of resource: where calls for it are, and how it is found. */
export class Kind<T extends Resource> {
  readonly #type: ResourceType
  readonly #shelf: (account: Account) => Shelf<T>
  /** Where lists and single ones are. */
  readonly inSubscription: string
  readonly inGroup: string
  readonly one: string

  constructor(type: ResourceType, shelf: (account: Account) => Shelf<T>) {
    this.#type = type
    this.#shelf = shelf
    this.inSubscription = `${paths.subscription}/providers/${type}`
    this.inGroup = `${paths.group}/providers/${type}`
    this.one = `${this.inGroup}/{name}`
  }

  /** The id of the one that a call is about. */
  idIn(request: ArmRequest, { world }: Account): string {
    const resourceGroup = groupCalled(given(request, 'resourceGroup'), world)
    const name = given(request, 'name')
    return idOf({ subscription: world.subscription, resourceGroup, type: this.#type, name })
  }

  /** The one that a call is about, as calls see it that change nothing. */
  seen(request: ArmRequest, account: Account): T {
    const found = account.sight.find(this.#shelf(account), this.idIn(request, account))
    if (found) return found
    throw this.notFound(request)
  }

  notFound(request: ArmRequest): ArmError {
    return resourceNotFound(this.#type, given(request, 'name'), given(request, 'resourceGroup'))
  }

  /** The list of a resource group, where the path names one, else of the subscription. */
  list(name: string, write: (item: T, account: Account) => object): Action['perform'] {
    return (request, account) => {
      const asked = request.place['resourceGroup']
      const group = asked === undefined ? undefined : groupCalled(asked, account.world)
      const all = account.sight.look(this.#shelf(account))
      const items = group === undefined ? all : all.filter(({ id }) => isInGroup(id, group))
      return page(name, items, (item) => write(item, account), { request, account })
    }
  }
}
