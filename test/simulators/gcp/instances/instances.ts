import type { Clock } from '../../../../api/ctx.ts'
import { AddressPools } from '../../kit/supply/addresses.ts'
import { horizonMs, type History } from '../../kit/instances/history.ts'
import { InstanceStore } from '../../kit/instances/instance-store.ts'
import type { Disks } from './disks.ts'
import { newId } from '../ids.ts'
import type { InsertPlan, Instance, InterfacePlan, NetworkInterface } from './instance.ts'
import type { Subnetwork, World } from '../world.ts'

/** Of every subnetwork. */
const keptByGce = { first: 2, last: 2 }

/** All instances of the project, and the addresses that they hold. */
export class Instances extends InstanceStore<Instance> {
  readonly #disks: Disks
  /** Those that are there, by zone and name: only as long is a name taken. */
  readonly #byName = new Map<string, Instance>()
  readonly #pools: AddressPools

  constructor({ subnetworks }: World, disks: Disks, clock: Clock) {
    super(clock)
    this.#disks = disks
    this.#pools = new AddressPools(subnetworks, { kept: keptByGce })
  }

  isShown({ goneAt }: Readonly<Instance>): boolean {
    return goneAt === undefined
  }

  /** What is there of this name or numeric id; without a zone: wherever it is. */
  find(nameOrId: string, zone?: string): History<Instance> | undefined {
    const byId = this.history(nameOrId)
    const named = zone === undefined ? this.#named(nameOrId) : this.#byName.get(`${zone}/${nameOrId}`)
    const found = named ? this.history(named.id) : byId
    if (!found || found.instance.goneAt !== undefined) return undefined
    return zone === undefined || found.instance.plan.zone.name === zone ? found : undefined
  }

  addressIsTaken(subnetwork: Subnetwork, address: string): boolean {
    return this.#pools.of(subnetwork).has(address)
  }

  holdsAddress(subnetwork: Subnetwork, address: string): boolean {
    return this.#pools.of(subnetwork).holds(address)
  }

  /** Addresses that somebody holds. */
  addresses(): readonly string[] {
    return this.#pools.taken()
  }

  insert(plan: InsertPlan, now: number): Instance {
    this.forget(({ goneAt }) => goneAt !== undefined && now - goneAt > horizonMs)
    const instance: Instance = {
      id: newId(),
      plan,
      createdAt: now,
      interfaces: plan.interfaces.map((one, at) => this.#attach(one, at)),
      disks: plan.disks.map((one) => ({
        plan: one,
        disk: one.isScratch ? undefined : this.#disks.add(plan.zone, one, now),
      })),
      status: 'PROVISIONING',
      reason: undefined,
      startedAt: undefined,
      stoppedAt: undefined,
      goneAt: undefined,
    }
    for (const { disk } of instance.disks) if (disk) disk.user = instance
    this.add(instance)
    this.#byName.set(`${plan.zone.name}/${plan.name}`, instance)
    return instance
  }

  /** Gone, with the disks that go with it, and its addresses are free. */
  remove(instance: Instance, now: number): void {
    const { plan, interfaces, disks } = instance
    instance.goneAt = now
    this.#byName.delete(`${plan.zone.name}/${plan.name}`)
    for (const { subnetwork, privateAddress } of interfaces) {
      if (privateAddress !== undefined) this.#pools.of(subnetwork).release(privateAddress)
    }
    for (const { plan, disk } of disks) {
      if (!disk) continue
      disk.user = undefined
      if (plan.autoDelete) this.#disks.remove(disk)
    }
    this.note(instance)
  }

  #attach(plan: InterfacePlan, at: number): NetworkInterface {
    const pool = this.#pools.of(plan.subnetwork)
    // Where none is left, the operation says so afterwards.
    const privateAddress = plan.address === undefined && pool.free === 0 ? undefined : pool.take(plan.address)
    const isPublic = plan.isPublic && privateAddress !== undefined
    return {
      ...plan,
      name: `nic${at}`,
      privateAddress,
      publicAddress: isPublic ? publicAddressFor(privateAddress) : undefined,
    }
  }

  #named(name: string): Instance | undefined {
    return this.#byName.values().find(({ plan }) => plan.name === name)
  }
}

/** Some public address, never the same for two private ones. */
function publicAddressFor(privateAddress: string): string {
  const [network, ...rest] = privateAddress.split('.')
  return [network === '10' ? '34' : '35', ...rest].join('.')
}
