import type { Machine, MachineSet } from '../../../api/machine.ts'
import type { KubeObject } from '../../../api/meta.ts'
import { nowOf } from '../truth.ts'
import type { World } from '../world.ts'
import { least, type Share } from './share.ts'
import { attemptOf, ShareWatch } from './share-watch.ts'

/**
 * What `distribution` promises, when everything is at rest:
 * - As many Machines of a MachineSet are on demand as its share is, when it has as many as it ever was to have. Those
 *   that it has lost by scaling down may all have been on demand.
 * - No more are on demand than the share, but for those that may have fallen to it.
 * - Of Machines that come then, one is on demand if and only if the share is not there without it.
 *
 * The first two hold where one process after the other has decided. The third holds whatever has happened.
 */
export class ShareLaw {
  /** How many MachineSets were judged: in all, those with all their Machines, and by the Machines that came at last. */
  readonly judged = { sets: 0, whole: 0, grown: 0 }
  readonly #world: World
  readonly #share: Share | undefined
  readonly #watch: ShareWatch

  constructor(world: World, share: Share | undefined) {
    this.#world = world
    this.#share = share
    this.#watch = new ShareWatch(world)
  }

  /** An object was written. */
  changed(kind: string, key: string, object: KubeObject | undefined): void {
    if (this.#share) this.#watch.changed(kind, key, object)
  }

  restored(): void {
    this.#watch.restored()
  }

  /** How many Machines it needs to have its whole share. */
  wholeSizeOf(set: MachineSet): number {
    return this.#watch.mostOf(set)
  }

  /** At rest. */
  judge(): void {
    const share = this.#share
    for (const set of this.#world.core.sets.sets()) if (share) this.#judge(set, share)
  }

  #judge(set: MachineSet, share: Share): void {
    if (this.#watch.isDisturbed(set)) return
    const { core, laws } = this.#world
    const machines = core.sets.counted(set)
    const most = this.#watch.mostOf(set)
    this.judged.sets++
    if (machines.length === most) this.judged.whole++
    const onDemand = this.#onDemandAmong(machines)
    const chosen = onDemand.filter((machine) => !this.#watch.mayHaveFallen(machine))
    const ought = least(most, share) - (most - machines.length)
    const said = `${onDemand.length} of the ${machines.length} Machines of ${set.metadata.name} are on demand`
    if (onDemand.length < ought) laws.broken.push(`${said}, which are fewer than ${ought}: it was to have ${most}`)
    if (chosen.length > least(most, share)) laws.broken.push(`${said}, which are more than the share of ${most}`)
  }

  /** A MachineSet at rest has got more Machines than these, and is at rest again. */
  judgeGrowth(set: MachineSet, before: readonly Machine[]): void {
    const share = this.#share
    const { core, laws } = this.#world
    const uids = new Set(before.map(({ metadata }) => metadata.uid))
    const all = core.sets.counted(set)
    const come = all.filter(({ metadata }) => !uids.has(metadata.uid))
    const isGrown = come.length > 0 && come.length === all.length - before.length
    if (!share || !isGrown || come.some((machine) => this.#watch.mayHaveFallen(machine))) return
    this.judged.grown++
    const were = this.#onDemandAmong(before).length
    let ought = were
    for (let size = before.length + 1; size <= all.length; size++) if (ought < least(size, share)) ought++
    const are = this.#onDemandAmong(come).length
    if (are === ought - were) return
    const there = `${set.metadata.name} had ${before.length} Machines, ${were} of them on demand`
    laws.broken.push(`${there}. Of ${come.length} more ${are} are on demand, and not ${ought - were}`)
  }

  #onDemandAmong(machines: readonly Machine[]): readonly Machine[] {
    const { core, cloud } = this.#world
    const onDemand = cloud.alive().map(nowOf)
    const tokens = onDemand.flatMap(({ capacityType, tag }) => (capacityType === 'OnDemand' && tag ? tag.token : []))
    return machines.filter((machine) => tokens.includes(attemptOf(core.infraOf(machine))?.token ?? ''))
  }
}
