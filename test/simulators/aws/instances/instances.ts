import { randomBytes } from 'node:crypto'
import { AddressPools } from '../../kit/supply/addresses.ts'
import { Ec2Error } from '../http/errors.ts'
import type { Clock } from '../../../../api/ctx.ts'
import { InstanceStore } from '../../kit/instances/instance-store.ts'
import { newId, newSpotRequestId } from '../ids.ts'
import type { Instance, InterfacePlan, LaunchPlan, NetworkInterface, SpotRequest } from './instance.ts'
import { reasons } from './lifecycle.ts'
import { fulfilled } from './spot-request.ts'
import type { Subnet, World } from '../world.ts'

/** EC2 shows a terminated instance for about an hour. */
const shownAfterEndMs = 3_600_000
/** It remembers the token of a launch for at least a day after the instances of it have ended. */
const tokenLifeMs = 24 * 3_600_000

export interface Reservation {
  readonly id: string
  readonly instances: readonly Instance[]
}

interface Remembered {
  readonly reservation: Reservation
  readonly fingerprint: string
}

/** All instances of the account, the addresses that they hold, and the tokens that they were launched with. */
export class Instances extends InstanceStore<Instance> {
  /** By the ids of what was launched with them: volumes, interfaces, spot requests. */
  readonly #byPart = new Map<string, Instance>()
  readonly #byToken = new Map<string, Remembered>()
  readonly #pools: AddressPools
  #launched = 0

  constructor({ subnets, skippedAddresses }: World, clock: Clock) {
    super(clock)
    this.#pools = new AddressPools(subnets, { skipped: skippedAddresses })
  }

  /** A terminated instance is shown for about an hour. */
  isShown({ vanished, endedAt }: Readonly<Instance>): boolean {
    return !vanished && (endedAt === undefined || this.clock.now() - endedAt < shownAfterEndMs)
  }

  get(id: string): Instance | undefined {
    return this.history(id)?.instance
  }

  /** Whose volume, interface or spot request this is. */
  ownerOf(part: string): Instance | undefined {
    return this.#byPart.get(part)
  }

  freeAddresses(subnet: Subnet): number {
    return this.#pools.of(subnet).free
  }

  addressIsTaken(subnet: Subnet, address: string): boolean {
    return this.#pools.of(subnet).has(address)
  }

  /**
   * What this token launched before, as it is now. The same token with another request is refused, and one whose
   * instance has ended.
   */
  launchedBefore(token: string, fingerprint: string, now: number): Reservation | undefined {
    this.#forget(now)
    const before = this.#byToken.get(token)
    if (!before) return undefined
    if (before.fingerprint !== fingerprint) {
      throw new Ec2Error(
        'IdempotentParameterMismatch',
        'Arguments on this idempotent request are inconsistent with arguments used in previous request(s).',
      )
    }
    if (!before.reservation.instances.every(({ state }) => state === 'terminated')) return before.reservation
    throw new Ec2Error(
      'IdempotentInstanceTerminated',
      'The client token you have provided is associated with a terminated instance. Please use a different client token.',
    )
  }

  /** How many instances there is room for, of those that are wanted. */
  countOf(plan: LaunchPlan): number {
    const count = Math.min(plan.count.max, this.#room(plan))
    if (count >= plan.count.min) return count
    throw new Ec2Error(
      'InsufficientFreeAddressesInSubnet',
      `There are not enough free addresses in subnet '${plan.subnet.id}' to satisfy the requested number of instances.`,
    )
  }

  launch(plan: LaunchPlan, count: number, { fingerprint, now }: { fingerprint: string; now: number }): Reservation {
    const id = newId('r')
    const instances = Array.from({ length: count }, (_, index) => this.#make(plan, id, index, now))
    for (const instance of instances) {
      this.add(instance)
      for (const part of partsOf(instance)) this.#byPart.set(part, instance)
    }
    const reservation = { id, instances }
    if (plan.clientToken !== '') this.#byToken.set(plan.clientToken, { reservation, fingerprint })
    return reservation
  }

  release({ interfaces }: Instance): void {
    for (const { subnet, privateAddress } of interfaces) this.#pools.of(subnet).release(privateAddress)
  }

  /** For how many instances the subnets have addresses. */
  #room({ interfaces }: LaunchPlan): number {
    const needed = Map.groupBy(interfaces, ({ subnet }) => subnet)
    return Math.min(...[...needed].map(([subnet, there]) => Math.floor(this.#pools.of(subnet).free / there.length)))
  }

  #make(plan: LaunchPlan, reservationId: string, index: number, now: number): Instance {
    this.#launched += 1
    return {
      id: newId('i'),
      reservationId,
      number: this.#launched,
      index,
      plan,
      launchedAt: now,
      interfaces: plan.interfaces.map((one) => this.#attach(one, plan)),
      volumes: plan.volumes.map((one) => ({ ...one, id: newId('vol'), tags: plan.tags.volume })),
      spot: spotRequest(plan, now),
      tags: plan.tags.instance,
      state: 'pending',
      reason: reasons.pending,
      transition: '',
      endedAt: undefined,
      vanished: false,
      runningSince: undefined,
      impaired: {},
      events: [],
    }
  }

  #attach(plan: InterfacePlan, { tags }: LaunchPlan): NetworkInterface {
    const privateAddress = this.#pools.of(plan.subnet).take(plan.address)
    return {
      ...plan,
      id: newId('eni'),
      attachmentId: newId('eni-attach'),
      mac: ['0e', ...(randomBytes(5).toString('hex').match(/../g) ?? [])].join(':'),
      privateAddress,
      publicAddress: plan.isPublic ? publicAddressFor(privateAddress) : undefined,
      tags: tags['network-interface'],
    }
  }

  #forget(now: number): void {
    const isOver = ({ endedAt }: Instance) => endedAt !== undefined && now - endedAt >= tokenLifeMs
    const forgotten = this.forget(isOver)
    for (const part of forgotten.flatMap(partsOf)) this.#byPart.delete(part)
    if (forgotten.length === 0) return
    for (const [token, { reservation }] of this.#byToken) {
      if (reservation.instances.every(isOver)) this.#byToken.delete(token)
    }
  }
}

function partsOf({ volumes, interfaces, spot }: Instance): readonly string[] {
  return [...volumes.map(({ id }) => id), ...interfaces.map(({ id }) => id), ...(spot ? [spot.id] : [])]
}

function spotRequest({ spot, tags }: LaunchPlan, now: number): SpotRequest | undefined {
  return (
    spot && {
      id: newSpotRequestId(),
      maxPrice: spot.maxPrice,
      tags: tags['spot-instances-request'],
      state: 'active',
      status: fulfilled,
      updatedAt: now,
    }
  )
}

/** Some public address, never the same for two private ones. */
function publicAddressFor(privateAddress: string): string {
  const [network, ...rest] = privateAddress.split('.')
  return [network === '10' ? '3' : '54', ...rest].join('.')
}
