import type { Clock } from '../../../../api/ctx.ts'
import type { FloatingIps } from './floating-ips.ts'
import { horizonMs } from '../../kit/instances/history.ts'
import { InstanceStore } from '../../kit/instances/instance-store.ts'
import { newId, wordName } from '../ids.ts'
import type { Instance, LaunchPlan } from './instance.ts'
import type { VirtualInterfaces } from './interfaces.ts'
import type { Reservation } from '../supply/reservations.ts'
import type { Volumes } from './volumes.ts'

interface Parts {
  readonly volumes: Volumes
  readonly interfaces: VirtualInterfaces
  readonly floatingIps: FloatingIps
}

/** All instances of the account, with what was made for them. */
export class Instances extends InstanceStore<Instance> {
  readonly #parts: Parts
  #created = 0

  constructor(parts: Parts, clock: Clock) {
    super(clock)
    this.#parts = parts
  }

  isShown({ goneAt }: Readonly<Instance>): boolean {
    return goneAt === undefined
  }

  get(id: string): Instance | undefined {
    const instance = this.history(id)?.instance
    return instance?.goneAt === undefined ? instance : undefined
  }

  called(name: string): Instance | undefined {
    return this.histories().find(({ instance }) => instance.name === name && instance.goneAt === undefined)?.instance
  }

  /** Names are unique in the region, also that of an instance which is being deleted. */
  hasName(name: string): boolean {
    return this.called(name) !== undefined
  }

  create(plan: LaunchPlan, reservation: Reservation | undefined, now: number): Instance {
    this.forget(({ goneAt }) => goneAt !== undefined && now - goneAt > horizonMs)
    this.#created += 1
    const identity = { id: newId(plan.zone.prefix, '_'), name: plan.name ?? wordName(), zone: plan.zone }
    const { interfaces, volumes } = this.#parts
    const instance: Instance = {
      ...identity,
      hostname: identity.name,
      number: this.#created,
      plan,
      createdAt: now,
      interfaces: plan.interfaces.map((one) => interfaces.attach(one, identity, now)),
      volumes: plan.volumes.map((one, at) => volumes.make(one, { instance: identity, isBoot: at === 0, now })),
      availability: plan.availability,
      policy: plan.policy,
      affinity: plan.affinity,
      metadata: plan.metadata,
      status: 'pending',
      reasons: [],
      lifecycleState: 'pending',
      lifecycleReasons: [{ code: 'pending_registration', message: 'The instance is being registered.' }],
      reservation,
      isPlaced: false,
      goneAt: undefined,
    }
    this.add(instance)
    return instance
  }

  /** Nothing of it is left but what its makers wanted to stay. */
  release({ interfaces, volumes }: Instance): void {
    for (const one of interfaces) {
      this.#parts.floatingIps.admitted(one.id)
      this.#parts.interfaces.detach(one)
      if (one.virtual?.autoDelete) this.#parts.floatingIps.admitted(one.virtual.id)
    }
    for (const one of volumes) this.#parts.volumes.detach(one)
  }
}
