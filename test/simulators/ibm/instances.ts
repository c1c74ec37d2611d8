import type { FloatingIps } from './floating-ips.ts'
import { History } from '../kit/history.ts'
import { newId, wordName } from './ids.ts'
import type { Instance, InstanceVersion, LaunchPlan } from './instance.ts'
import type { VirtualInterfaces } from './interfaces.ts'
import type { Reservation } from './reservations.ts'
import type { Volumes } from './volumes.ts'

/** What is gone can still be seen by lists that are late, but not for longer than this. */
const rememberedMs = 15 * 60_000

interface Parts {
  readonly volumes: Volumes
  readonly interfaces: VirtualInterfaces
  readonly floatingIps: FloatingIps
}

/** All instances of the account, with what was made for them. */
export class Instances {
  readonly #parts: Parts
  readonly #byId = new Map<string, History<Instance>>()
  #created = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** What there is, in the order of creation. */
  get all(): readonly InstanceVersion[] {
    return [...this.#byId.values()].map(({ latest }) => latest).filter(({ goneAt }) => goneAt === undefined)
  }

  /** Everything not yet forgotten, what is gone too. */
  histories(): IteratorObject<History<Instance>> {
    return this.#byId.values()
  }

  get(id: string): Instance | undefined {
    const instance = this.#byId.get(id)?.instance
    return instance?.goneAt === undefined ? instance : undefined
  }

  called(name: string): Instance | undefined {
    return this.#byId.values().find(({ instance }) => instance.name === name && instance.goneAt === undefined)?.instance
  }

  /** As it is now. */
  shown({ id }: Readonly<Instance>): InstanceVersion {
    const history = this.#byId.get(id)
    if (!history) throw new Error(`Instance ${id} is not of this account`)
    return history.latest
  }

  /** Whoever changes an instance says so here. */
  note({ id }: Instance, now: number): void {
    this.#byId.get(id)?.note(now)
  }

  /** Names are unique in the region, also that of an instance which is being deleted. */
  hasName(name: string): boolean {
    return this.called(name) !== undefined
  }

  create(plan: LaunchPlan, reservation: Reservation | undefined, now: number): Instance {
    this.#forget(now)
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
    this.#byId.set(instance.id, new History(instance, now))
    return instance
  }

  /** Nothing of it is left but what its makers wanted to stay. */
  release({ interfaces, volumes }: Instance): void {
    for (const one of interfaces) {
      this.#parts.floatingIps.letGo(one.id)
      this.#parts.interfaces.detach(one)
      if (one.virtual?.autoDelete) this.#parts.floatingIps.letGo(one.virtual.id)
    }
    for (const one of volumes) this.#parts.volumes.detach(one)
  }

  #forget(now: number): void {
    for (const [id, { instance }] of this.#byId) {
      if (instance.goneAt !== undefined && now - instance.goneAt > rememberedMs) this.#byId.delete(id)
    }
  }
}
