import type { AttemptPatterns } from '../../../api/attempt.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { pinnedAccount, refuseOtherAccount } from '../../../providers/shared/account.ts'
import type { Cloud } from '../../../providers/cloud.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type {
  TerminateResult,
  InstancePage,
  InstanceRef,
  Instances,
  Launch,
  LaunchRequest,
} from '../../../providers/instances.ts'
import type { Instance, InstanceState } from '../../../api/instance.ts'
import type { Scope } from '../../../api/scope.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'

/** Where tests are, once the account is pinned. */
export const fakeScope = { cloud: 'aws', identity: 'default', account: '111122223333', region: 'us-east-1' } as const

/**
 * A cloud in memory that keeps the promises of the cloud interface, with the weaknesses that real ones have, on demand.
 */
export class FakeCloud implements Instances {
  readonly calls: { call: 'create' | 'find' | 'list' | 'terminate'; token?: string }[] = []
  readonly instances = new Map<string, Instance>()
  /**
   * What the next create calls do instead of answering: thrown before or after the instance was made. With parts: it is
   * the answer, and an interface remains.
   */
  readonly createFaults: { when: 'before' | 'after' | 'with parts'; error: CloudError }[] = []
  /** It says yes first, and starts what it accepted later. */
  accepting = false
  listFault: CloudError | undefined
  /** Zones of which lists do not speak. */
  readonly silentZones = new Set<string>()
  /** How many pages of lists it has answered. */
  pages = 0
  /** Not shown by lists and looks. */
  readonly invisible = new Set<string>()
  /** What was asked for, by each create call. */
  readonly requests: LaunchRequest[] = []
  /** Of the credentials. */
  account: string | undefined = fakeScope.account
  /** When its line gives a create call its turn. */
  turn: Promise<void> | undefined
  /** By its own clock. */
  now = () => 0
  #next = 1

  async create(want: Launch, _ctx: Ctx): Promise<Instance> {
    await this.turn
    const held = want.refuseIf?.()
    if (held) throw held
    this.calls.push({ call: 'create', token: want.token })
    refuseOtherAccount(want.scope.account, this.account)
    this.requests.push(want.request)
    const fault = this.createFaults.shift()
    if (fault?.when === 'before') throw fault.error
    const known = [...this.instances.values()].find(({ tag }) => tag?.token === want.token)
    const instance = known ?? this.#make(want)
    if (fault?.when === 'with parts') {
      this.set(instance.id, 'leftover')
      return { ...instance, state: 'leftover', started: false, failure: fault.error }
    }
    if (fault) throw fault.error
    return instance
  }

  async find(which: InstanceRef, _ctx: Ctx): Promise<Instance | 'absent' | 'unknown'> {
    this.calls.push({ call: 'find', token: which.tag.token })
    refuseOtherAccount(which.scope.account, this.account)
    const found = this.#visible(which)
    return found && this.silentZones.has(found.zone) ? 'unknown' : (found ?? 'absent')
  }

  async *list({ account }: Scope, _ctx: Ctx): AsyncIterable<InstancePage> {
    this.calls.push({ call: 'list' })
    if (this.listFault) throw this.listFault
    refuseOtherAccount(account, this.account)
    this.pages++
    const silent = [...this.silentZones]
    const items = [...this.instances.values()].filter(
      ({ id, zone }) => !this.invisible.has(id) && !this.silentZones.has(zone),
    )
    yield {
      items,
      complete: silent.length === 0,
      account: this.account,
      ...(silent.length > 0 ? { unreachableZones: silent } : {}),
    }
  }

  async terminate(which: InstanceRef, _ctx: Ctx): Promise<TerminateResult> {
    this.calls.push({ call: 'terminate', token: which.tag.token })
    refuseOtherAccount(which.scope.account, this.account)
    const found = this.#visible(which)
    if (!found || found.state === 'terminated') return 'gone'
    if (!isOwnedBy(found, which.tag)) throw new CloudError('conflict', { code: 'NotOurs', message: 'Not ours.' })
    this.set(found.id, 'terminating')
    return 'going'
  }

  /** Moves an instance to a state, as the cloud would by itself. */
  set(id: string, state: InstanceState, more: Partial<Instance> = {}): void {
    const instance = this.instances.get(id)
    if (!instance) throw new Error(`There is no instance ${id}`)
    this.instances.set(id, { ...instance, state, ...more })
  }

  count(call: 'create' | 'find' | 'list' | 'terminate'): number {
    return this.calls.filter((made) => made.call === call).length
  }

  #make({ owner, machine, token }: Launch): Instance {
    const id = `i-${String(this.#next++).padStart(17, '0')}`
    const instance: Instance = {
      id,
      ...(this.account === undefined ? {} : { account: this.account }),
      name: machine.slice(machine.indexOf('/') + 1),
      launchedAt: this.now(),
      state: 'pending',
      started: !this.accepting,
      tag: tagOf({ owner, machine, token }),
      capacityType: 'Spot',
      instanceType: 'm5.large',
      zone: 'us-east-1a',
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
    }
    this.instances.set(id, instance)
    return instance
  }

  #visible({ id, tag: { token } }: InstanceRef): Instance | undefined {
    const all = [...this.instances.values()].filter((instance) => !this.invisible.has(instance.id))
    return all.find((instance) => (id === undefined ? instance.tag?.token === token : instance.id === id))
  }
}

const attemptPatterns: AttemptPatterns = {
  region: /^[a-z0-9-]+$/,
  account: /^\d+$/,
  zone: /^[a-z0-9-]+$/,
  subnet: /^[a-z0-9-]+$/,
  handle: /^i-[a-z0-9-]+$/,
}

/**
 * What the registry would hand out. `places`: the subnets that the specs name; a test may edit them. `account`: that of
 * the credentials.
 */
export function cloudOf(
  instances: Instances,
  places = ['subnet-a', 'subnet-b', 'subnet-c'],
  account: () => string | undefined = () => fakeScope.account,
): Cloud {
  return {
    name: 'aws',
    instances,
    attemptPatterns,
    scopeOf(cluster) {
      const { account: _, ...anywhere } = fakeScope
      const pinned = pinnedAccount(cluster, attemptPatterns)
      return { ...anywhere, ...(pinned === undefined ? {} : { account: pinned }) }
    },
    accountOf: () => Promise.resolve(account()),
    vanishesWhenTaken: (spec) => 'vanishes' in spec && spec.vanishes === true,
    nameOf: () => undefined,
    providerIDOf: ({ zone, id }) => `aws:///${zone}/${id}`,
    failureDomainsOf: () => [],
    nodeSizeOf: () => Promise.reject(new CloudError('missing', { code: 'None', message: 'Not part of the fake.' })),
    offerings: {
      own: () => Promise.resolve({ capacityType: 'Spot', instanceType: 'm5.large' }),
      of: (_, { capacityType, instanceTypes }) =>
        Promise.resolve(instanceTypes.map((instanceType) => ({ capacityType, instanceType, zone: 'us-east-1a' }))),
      quotaClassOf: () => ({ name: 'standard', size: 2 }),
      reachOf: () => 'offering',
    },
    plan: ({ at: before, choice, exclude = [] }) => {
      const at = before ?? (choice?.subnet === undefined ? undefined : { subnet: choice.subnet, zone: choice.zone })
      const offering = choice ?? ({ capacityType: 'Spot', instanceType: 'm5.large', zone: 'us-east-1a' } as const)
      const { capacityType, instanceType, zone } = offering
      const free = places.filter((name) => name !== at?.subnet && !exclude.includes(name))
      const [subnet, ...others] = at ? [at.subnet, ...free] : free
      if (subnet === undefined) {
        return Promise.reject(new CloudError('subnet', { code: 'SubnetsFull', message: 'All subnets are full.' }))
      }
      return Promise.resolve({
        request: { instanceType, place: subnet, ...(choice ? { capacityType } : {}) },
        offering: { capacityType, instanceType, zone },
        subnet,
        otherSubnets: others.length,
      })
    },
  }
}
