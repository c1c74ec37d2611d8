import { readAttempt } from '../../api/attempt.ts'
import { findCondition } from '../../api/conditions.ts'
import { annotations } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { keyOf, parseKey } from '../../controllers/runtime/resource.ts'
import { FakeApiserver } from '../fake-apiserver.ts'
import type { Backup } from './backup.ts'
import { Core, setKey } from './core.ts'
import { Laws } from './laws.ts'
import { LyingCloud, nowOf, type Manners, type Truth } from './lying-cloud.ts'
import { kinds, Manager, objectsOf, type Kind } from './manager.ts'
import { clusterObjects } from './objects.ts'
import { Process } from './process.ts'
import { Wire } from './wire.ts'
import { WorldClock } from './world-clock.ts'

/** Two clusters of one name and machines of one name, in one account. */
export const namespaces = ['default', 'other'] as const
export const machineKeys = ['default/m0', 'default/m1', 'default/m2', 'other/m0'] as const

/** Lists show what was so long ago at most. */
const stalestMs = 60_000
/** A process is started again so soon after it was killed. */
const restartMs = 1_000
/** From its last renewal on a leader believes for so long that it leads, and nobody else does for so long. */
const deadlineMs = 10_000
const leaseMs = 16_000
/** A process that is not the leader any more sees it so soon. */
const renewMs = 2_000
/** Who has stood still has said all that it had on its tongue so soon. */
const catchesUpMs = 5_000

/** One management cluster, one account, and the managers that come and go between them. */
export class World {
  readonly clock = new WorldClock()
  readonly wire = new Wire(this.clock)
  readonly apiserver = new FakeApiserver()
  readonly cloud: LyingCloud
  readonly laws: Laws
  readonly core: Core
  /** How late the caches are. */
  lagMs = 10
  passes = 0
  /** The last copy of etcd. */
  backup: Backup | undefined
  #managers: Manager[] = []
  #leader: Manager | undefined
  /** Those whose own deadline has passed while they were stopped. */
  readonly #doubtful = new Set<Manager>()
  /** Those who believe that they lead although somebody else does, and hear of nothing. */
  readonly #deluded = new Map<Manager, number>()
  #downUntil = 0
  /** Until then no cache has seen what etcd was put back to. */
  #listedAnewAt = 0
  #started = 0
  #tokens = 0
  #wokenAt = Number.NEGATIVE_INFINITY
  /** Of clusters that etcd has forgotten: nothing leads to their instances any more. */
  readonly #forgotten = new Set<string>()
  readonly #heardAt = new Map<string, number>()

  constructor(manners: Manners) {
    const { clock, wire, apiserver } = this
    this.laws = new Laws({
      machines: () => this.machines(),
      alive: () => this.cloud.alive().filter(({ isStranger }) => !isStranger),
      now: () => clock.now,
      isSplit: () => this.#deluded.size > 0,
      hasJustWoken: () => clock.now - this.#wokenAt < catchesUpMs,
      shownTo: (process, key) => this.#managers.find((manager) => manager.process === process)?.machine(key),
    })
    this.core = new Core({ apiserver, clock, onRemoval: (...whom) => this.laws.removed(...whom) })
    this.cloud = new LyingCloud({ clock, wire, witness: this.laws }, manners)
    apiserver.onChange = (kind, key, object) => this.#changed(kind, key, object)
    wire.onStruck = (process, by) => (by === 'killed' ? this.#killed(process) : this.#stopped(process, 40_000))
    for (const namespace of namespaces) this.makeCluster(namespace)
    this.start()
  }

  machines(): InfraMachine[] {
    return objectsOf(this.apiserver, 'AWSMachine') as InfraMachine[]
  }

  machine(key: string): InfraMachine | undefined {
    return this.apiserver.get('AWSMachine', key) as InfraMachine | undefined
  }

  ownerIds(): string[] {
    const all = [...objectsOf(this.apiserver, 'Cluster'), ...objectsOf(this.apiserver, 'AWSCluster')]
    return all.flatMap(({ metadata }) => metadata.annotations?.[annotations.ownerId] ?? [])
  }

  /** Time passes; afterwards no law may have been broken. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms)
    if (this.laws.broken.length > 0) throw new Error(this.laws.broken.join('\n'))
  }

  makeCluster(namespace: string): void {
    if (this.apiserver.get('AWSCluster', `${namespace}/c1`)) return
    for (const { kind, object } of clusterObjects(namespace)) this.apiserver.put(kind, object)
    if (namespace === 'default' && !this.apiserver.get('MachineSet', setKey)) this.core.makeSet()
  }

  makeMachine(key: string): boolean {
    const { namespace = '', name } = parseKey(key)
    const isThere = this.apiserver.get('AWSMachine', key) !== undefined
    if (isThere || !this.apiserver.get('Cluster', `${namespace}/c1`)) return false
    this.core.makeMachine({ namespace, name })
    return true
  }

  delete(kind: Kind, key: string): void {
    if (this.apiserver.get(kind, key)?.metadata.deletionTimestamp) return
    if (kind === 'AWSMachine') this.core.deleteMachine(key)
    else this.apiserver.markDeleted(kind, key, '2026-01-01T00:00:00Z')
  }

  /** A user writes to an object. */
  edit(kind: Kind, key: string, change: (object: KubeObject) => object): boolean {
    const object = this.apiserver.get(kind, key)
    if (!object) return false
    const next: KubeObject = { ...object, ...change(object) }
    this.apiserver.put(kind, next)
    const { deletionTimestamp, finalizers = [] } = next.metadata
    if (deletionTimestamp !== undefined && finalizers.length === 0) this.apiserver.remove(kind, key)
    return true
  }

  /** All that is in it at once, in no order. */
  deleteNamespace(namespace: string): void {
    for (const machine of this.machines()) {
      if (machine.metadata.namespace === namespace) this.delete('AWSMachine', keyOf(machine))
    }
    this.delete('AWSCluster', `${namespace}/c1`)
    this.apiserver.remove('Cluster', `${namespace}/c1`)
  }

  /** Its attempt is taken away: nobody can know of an instance that lists may not show yet. */
  forgiveLossOf(machine: KubeObject): void {
    const token = tokenOf(machine as InfraMachine)
    const made = this.cloud.alive().find((truth) => nowOf(truth).mark?.token === token)
    const isHidden = made?.listedAt === undefined || this.clock.now - made.visibleAt < stalestMs
    if (isHidden) this.laws.excuse(machine)
  }

  /**
   * Instances of ours that are still there; but for those to which nothing leads any more, by a user's own doing or
   * because etcd has forgotten their Cluster.
   */
  ours(): Truth[] {
    const owners = this.ownerIds()
    const isLost = (truth: Truth) => {
      const owner = nowOf(truth).mark?.owner ?? ''
      return !owners.includes(owner) && (this.laws.isExcused(truth) || this.#forgotten.has(owner))
    }
    return this.cloud.present().filter((truth) => !truth.isStranger && !isLost(truth))
  }

  /** What keeps a machine from being at rest; undefined when it is. */
  trouble(machine: InfraMachine): string | undefined {
    const ready = findCondition(machine.status?.conditions, 'Ready')
    const said = ready ? `${ready.status} ${ready.reason} ${ready.message}` : 'nothing is said'
    if (!ready || machine.metadata.deletionTimestamp || ready.status === 'Unknown') return said
    const token = tokenOf(machine)
    const truth = this.cloud.alive().find((alive) => nowOf(alive).mark?.token === token)
    const runs = truth !== undefined && nowOf(truth).state === 'running'
    return runs === (ready.status === 'True') ? undefined : `${said} while its instance ${runs ? 'runs' : 'does not'}`
  }

  endByHand(machine: InfraMachine): void {
    for (const truth of this.cloud.present()) {
      if (machine.spec.providerID?.endsWith(`/${truth.id}`)) this.cloud.end(truth)
    }
  }

  /** Instances that a message names. */
  endNamed(message: string): void {
    for (const truth of this.cloud.present()) {
      if (!truth.isStranger && new RegExp(`\\b${truth.id}\\b`).test(message)) this.cloud.end(truth)
    }
  }

  start(): void {
    const { apiserver, wire, cloud } = this
    const process = new Process(`manager ${++this.#started}`, this.clock)
    const manager = new Manager(process, {
      apiserver,
      wire,
      cloud,
      isUp: () => this.isUp(),
      isFollowing: () => this.isUp() && this.clock.now >= this.#listedAnewAt,
      newToken: () => `token-${++this.#tokens}`,
      held: (asking) => this.#holds(asking),
      onPass: () => void this.passes++,
    })
    this.#managers.push(manager)
    this.#leader = manager
  }

  isUp(): boolean {
    return this.clock.now >= this.#downUntil
  }

  takeApiserverDown(ms: number): void {
    this.#downUntil = Math.max(this.#downUntil, this.clock.now + ms)
  }

  kill(): void {
    if (this.#leader) this.#killed(this.#leader.process)
  }

  stop(ms: number): void {
    if (this.#leader) this.#stopped(this.#leader.process, ms)
  }

  /** There is no capacity. */
  dry(ms: number): void {
    this.laws.droughtBegins(ms)
    this.cloud.manners.dryUntil = this.clock.now + ms
  }

  /** The lease fails: somebody else leads too, and the one before neither knows nor hears of anything. */
  split(ms: number): void {
    const deluded = this.#leader
    if (!deluded || this.#deluded.size > 0) return
    this.laws.droughtIsDisturbed()
    this.#deluded.set(deluded, this.clock.now + ms)
    this.clock.after(ms, () => this.#end(deluded))
    this.start()
  }

  skew(ms: number): void {
    this.laws.droughtIsDisturbed()
    for (const { process } of this.#managers) process.skewMs += ms
  }

  wake(): void {
    for (const manager of this.#managers) manager.wake()
  }

  /** No more trouble from now on. */
  calm(): void {
    this.wire.calm()
    this.#downUntil = 0
    this.lagMs = 10
    Object.assign(this.cloud.manners, { hiddenForMs: 0, stale: { byMs: 0, until: 0 }, partialUntil: 0, dryUntil: 0 })
    this.cloud.manners.doomsNext = false
    this.#wokenAt = this.clock.now
    for (const { process } of this.#managers) process.resume()
    for (const manager of this.#deluded.keys()) this.#end(manager)
  }

  /** etcd holds something else now: all whom it concerns look anew. */
  restored(keys: Iterable<string>, { forgotten }: { forgotten: readonly string[] }): void {
    for (const owner of forgotten) this.#forgotten.add(owner)
    this.laws.restored()
    for (const key of keys) {
      const [kind = '', name = ''] = key.split(' ')
      this.#changed(kind, name, this.apiserver.get(kind, name))
    }
    this.#listedAnewAt = Math.max(this.#listedAnewAt, ...this.#heardAt.values())
  }

  /** Whoever would go on as if nothing had been. */
  endThoseWhoStandStill(): void {
    for (const manager of this.#managers) {
      if (!manager.process.isRunning || this.#deluded.has(manager)) this.#killed(manager.process)
    }
  }

  #holds(manager: Manager): boolean {
    if (this.#deluded.has(manager)) return true
    return manager === this.#leader && !this.#doubtful.has(manager)
  }

  #killed(process: Process): void {
    const manager = this.#managers.find((other) => other.process === process)
    if (!manager) return
    this.#end(manager)
    if (manager === this.#leader) this.#leader = undefined
    this.clock.after(restartMs, () => {
      if (!this.#leader) this.start()
    })
  }

  #stopped(process: Process, ms: number): void {
    const manager = this.#managers.find((other) => other.process === process)
    if (!manager || !process.isRunning) return
    process.stop()
    const since = this.clock.now
    this.clock.after(leaseMs, () => {
      if (!process.isRunning && !process.isDead && manager === this.#leader) this.start()
    })
    this.clock.after(ms, () => {
      if (this.clock.now - since >= deadlineMs) this.#doubtful.add(manager)
      this.#wokenAt = this.clock.now
      process.resume()
      this.clock.after(renewMs, () => {
        this.#doubtful.delete(manager)
        if (manager !== this.#leader && !this.#deluded.has(manager)) this.#end(manager)
      })
    })
  }

  #end(manager: Manager): void {
    manager.process.kill()
    this.#deluded.delete(manager)
    this.#managers = this.#managers.filter((other) => other !== manager)
  }

  #changed(kind: string, key: string, object: KubeObject | undefined): void {
    if (kind === 'AWSMachine') this.laws.wrote(object)
    if (kind === 'Machine' && object) this.laws.heard(object as Machine)
    if (kinds.includes(kind as Kind))
      for (const manager of this.#managers) this.#tell(manager, kind as Kind, key, object)
    this.core.changed(kind, key, object)
  }

  /** Changes of a kind are heard of in their order. */
  #tell(manager: Manager, kind: Kind, key: string, object: KubeObject | undefined): void {
    const way = `${manager.process.name} ${kind}`
    const earliest = Math.max(this.clock.now + this.lagMs, this.#downUntil, this.#deluded.get(manager) ?? 0)
    const at = Math.max(this.#heardAt.get(way) ?? 0, earliest)
    this.#heardAt.set(way, at)
    this.clock.after(at - this.clock.now, () => manager.learn(kind, key, object))
  }
}

export function tokenOf(machine: InfraMachine): string | undefined {
  const reading = readAttempt(machine)
  return reading.is === 'ours' ? reading.attempt.token : undefined
}
