import type { InterruptionPolicy } from '../../api/generated/interruption-policy.ts'
import { readAttempt } from '../../api/attempt.ts'
import { annotations } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { keyOf, parseKey } from '../../controllers/runtime/client/resource.ts'
import { FakeApiserver } from '../support/fakes/fake-apiserver.ts'
import { fakeScope } from '../support/fakes/fake-cloud.ts'
import type { Backup } from './backup.ts'
import { Announcements } from './notices/announcements.ts'
import { Core } from './core.ts'
import { InterruptionLaws } from './notices/laws.ts'
import { Laws } from './laws.ts'
import { LyingCloud } from './lying-cloud.ts'
import { calmManners, type Manners } from './manners.ts'
import { nowOf, type Truth } from './truth.ts'
import { kinds, objectsOf, type Kind } from './manager.ts'
import { Managers } from './managers.ts'
import { Nodes } from './notices/nodes.ts'
import { Notices } from './notices/notices.ts'
import { clusterObjects } from './objects.ts'
import { ShareLaw } from './pools/share-law.ts'
import { machineSpecOf, type SpecWanted } from './pools/share.ts'
import { Wire } from './wire.ts'
import { WorldClock } from './world-clock.ts'

/** Two clusters of one name and machines of one name, in one account. */
export const namespaces = ['default', 'other'] as const
export const machineKeys = ['default/m0', 'default/m1', 'default/m2', 'other/m0'] as const

/** The largest age of lists. */
const stalestMs = 60_000

/** One management cluster, one account, and the managers that come and go between them. */
export class World {
  readonly clock = new WorldClock()
  readonly wire = new Wire(this.clock)
  readonly apiserver = new FakeApiserver()
  readonly cloud: LyingCloud
  readonly managers: Managers
  readonly laws: Laws
  readonly core: Core
  readonly nodes = new Nodes()
  readonly announcements: Announcements
  readonly notices: Notices
  readonly interruptionLaws: InterruptionLaws
  readonly shareLaw: ShareLaw
  /** The last copy of etcd. */
  backup: Backup | undefined
  #isRestoring = false
  /** The token of the last attempt of each infra machine. */
  readonly #tokens = new Map<string, string | undefined>()
  /** Owner ids of clusters that etcd has forgotten: nothing leads to their instances any more. */
  readonly #forgotten = new Set<string>()

  constructor(manners: Manners, wanted: SpecWanted = {}) {
    const { clock, wire, apiserver } = this
    this.shareLaw = new ShareLaw(this, wanted.share)
    this.laws = new Laws({
      machines: () => this.machines(),
      alive: () => this.cloud.alive().filter(({ isStranger }) => !isStranger),
      now: () => clock.now,
      areStrict: wanted.hasFallback !== true,
      isSplit: () => this.managers.isSplit,
      hasJustWoken: () => this.managers.hasJustWoken,
      shownTo: (process, key) => this.managers.of(process)?.machine(key),
      isNoticed: (machine) => this.interruptionLaws.isNoticed(machine),
    })
    this.interruptionLaws = new InterruptionLaws({
      apiserver,
      now: () => clock.now,
      isDisturbed: () => this.managers.isSplit || this.managers.hasJustWoken,
      core: () => this.core,
      broken: this.laws.broken,
    })
    this.core = new Core({
      apiserver,
      clock,
      nodes: this.nodes,
      machineSpec: machineSpecOf(wanted),
      onRemoval: (...whom) => this.laws.removed(...whom),
      onAhead: (uncounted) => this.interruptionLaws.replacesAhead(uncounted),
    })
    this.cloud = new LyingCloud({ clock, wire, witness: this.laws }, manners)
    this.announcements = new Announcements(this)
    this.notices = new Notices(this, this.interruptionLaws)
    apiserver.onChange = (kind, key, object) => this.#changed(kind, key, object)
    const { cloud, announcements, nodes } = this
    this.managers = new Managers({
      apiserver,
      wire,
      cloud,
      clock,
      announcements,
      nodes,
      onDelete: (...request) => this.interruptionLaws.deletes(...request),
    })
    nodes.onChange = (key, node) => this.managers.tell('Node', key, node)
    for (const namespace of namespaces) this.makeCluster(namespace)
    this.managers.start()
  }

  machines(): InfraMachine[] {
    return objectsOf(this.apiserver, 'AWSMachine') as InfraMachine[]
  }

  machinesOfCore(): Machine[] {
    return objectsOf(this.apiserver, 'Machine') as Machine[]
  }

  machine(key: string): InfraMachine | undefined {
    return this.apiserver.get('AWSMachine', key) as InfraMachine | undefined
  }

  ownerIds(): string[] {
    const all = [...objectsOf(this.apiserver, 'Cluster'), ...objectsOf(this.apiserver, 'AWSCluster')]
    return all.flatMap(({ metadata }) => metadata.annotations?.[annotations.ownerId] ?? [])
  }

  /** Time passes. After it no law may be broken. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms)
    if (this.laws.broken.length > 0) throw new Error(this.laws.broken.join('\n'))
  }

  makeCluster(namespace: string): void {
    if (this.apiserver.get('AWSCluster', `${namespace}/c1`)) return
    for (const { kind, object } of clusterObjects(namespace)) this.apiserver.put(kind, object)
    if (namespace === 'default') this.core.sets.makeDeployment()
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

  /** All its objects at once, in no order. */
  deleteNamespace(namespace: string): void {
    for (const machine of this.machines()) {
      if (machine.metadata.namespace === namespace) this.core.deleteAtOnce(keyOf(machine))
    }
    this.delete('AWSCluster', `${namespace}/c1`)
    this.apiserver.remove('Cluster', `${namespace}/c1`)
  }

  /** Removes its attempt. Only the process that used it can know of an instance that lists do not show yet. */
  forgiveLossOf(machine: KubeObject): void {
    const token = tokenOf(machine as InfraMachine)
    const made = this.cloud.alive().find((truth) => nowOf(truth).tag?.token === token)
    const isHidden = made?.listedAt === undefined || this.clock.now - made.visibleAt < stalestMs
    if (isHidden) this.laws.bereave(machine)
  }

  /**
   * Our remaining instances, without those that nothing leads to: a user removed the object, or etcd has forgotten the
   * Cluster.
   */
  ours(): Truth[] {
    const owners = this.ownerIds()
    const isLost = (truth: Truth) => {
      const owner = nowOf(truth).tag?.owner ?? ''
      return !owners.includes(owner) && (this.laws.isExcused(truth) || this.#forgotten.has(owner))
    }
    return this.cloud.present().filter((truth) => !truth.isStranger && !isLost(truth))
  }

  /** There is no capacity, or none of these. */
  dry(ms: number, pools?: readonly string[]): void {
    this.laws.droughtBegins(ms, pools)
    const { manners } = this.cloud
    const until = this.clock.now + ms
    if (!pools) manners.dryUntil = until
    else manners.dryPools = new Map([...manners.dryPools, ...pools.map((pool) => [pool, until] as const)])
  }

  /** Another process leads too for this time. */
  split(ms: number): void {
    this.laws.droughtIsDisturbed()
    this.managers.split(ms)
  }

  /** For this time the credentials belong to another account. `restarts`: each change starts another process. */
  swapCredentials(ms: number, { restarts }: { restarts: boolean }): void {
    const swap = (account: string) => {
      this.cloud.account = account
      if (restarts) this.managers.kill()
    }
    swap('999988887777')
    this.clock.after(ms, () => {
      if (this.cloud.isElsewhere) swap(fakeScope.account)
    })
  }

  /** Wall clocks jump. */
  skew(ms: number): void {
    this.laws.droughtIsDisturbed()
    this.managers.skew(ms)
  }

  /** No more trouble from now on. */
  calm(): void {
    this.wire.calm()
    Object.assign(this.cloud.manners, calmManners())
    this.cloud.account = fakeScope.account
    this.managers.calm()
    this.core.calm()
    this.notices.clear()
  }

  /** etcd has other objects now: all processes list again. */
  restored(keys: Iterable<string>, { forgotten }: { forgotten: readonly string[] }): void {
    for (const owner of forgotten) this.#forgotten.add(owner)
    this.laws.restored()
    this.shareLaw.restored()
    this.#isRestoring = true
    for (const key of keys) {
      const [kind = '', name = ''] = key.split(' ')
      this.#changed(kind, name, this.apiserver.get(kind, name))
    }
    this.#isRestoring = false
    this.managers.listAnew()
  }

  #noteAttempt(key: string, machine: InfraMachine | undefined): void {
    const token = this.#tokens.get(key)
    if (!machine && this.cloud.isElsewhere && !this.#isRestoring) this.laws.wentUnseen(key, token)
    this.#tokens.set(key, machine && tokenOf(machine))
  }

  /**
   * A cluster without machines follows new credentials to their account. An instance that etcd has forgotten stays
   * behind if the present process has never seen it, and so does what is left of one.
   */
  #noteAccount(cluster: KubeObject | undefined): void {
    const { [annotations.account]: account = fakeScope.account, [annotations.ownerId]: owner } =
      cluster?.metadata.annotations ?? {}
    if (account === fakeScope.account) return
    const tokens = new Set(this.machines().map(tokenOf))
    for (const truth of this.cloud.present()) {
      const { tag } = nowOf(truth)
      const isForgotten = tag !== undefined && tag.owner === owner && !tokens.has(tag.token)
      if (isForgotten && !this.managers.hasSeen(truth)) this.laws.excuseTruth(truth)
    }
  }

  #machineChanged(key: string, machine: Machine | undefined): void {
    if (!machine) {
      this.laws.machineGone(key)
      return
    }
    this.laws.heard(machine)
    this.interruptionLaws.heard(machine)
  }

  #changed(kind: string, key: string, object: KubeObject | undefined): void {
    this.shareLaw.changed(kind, key, object)
    if (kind === 'AWSCluster') this.#noteAccount(object)
    if (kind === 'AWSMachine') this.laws.wrote(object)
    if (kind === 'AWSMachine') this.#noteAttempt(key, object as InfraMachine | undefined)
    if (kind === 'Machine') this.#machineChanged(key, object as Machine | undefined)
    if (kind === 'InterruptionPolicy' || kind === 'Cluster') this.laws.pausesAreDisturbed()
    if (kind === 'InterruptionPolicy')
      this.interruptionLaws.policySays((object as InterruptionPolicy | undefined)?.spec)
    if (kinds.includes(kind as Kind)) this.managers.tell(kind as Kind, key, object)
    this.core.changed(kind, key, object)
  }
}

export function tokenOf(machine: InfraMachine): string | undefined {
  const reading = readAttempt(machine)
  return reading.is === 'ours' ? reading.attempt.token : undefined
}
