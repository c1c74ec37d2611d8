import { afterEach, beforeEach, expect, it } from 'vitest'
import { instanceOf, readyOf, type CloudCluster } from './rigs/cloud-cluster.ts'
import { jumpingClock } from '../lab/jumping-clock.ts'
import { CloudsRig } from './rigs/clouds-rig.ts'
import { moveIn, type Neighbours } from './rigs/neighbours.ts'
import { patiently } from './seen/patiently.ts'

let rig: CloudsRig
beforeEach(async () => {
  rig = await CloudsRig.alone()
  await rig.startManager([], jumpingClock)
})
afterEach(() => rig[Symbol.asyncDispose]())

it.each([{ manager: 'goes on' }, { manager: 'is started again, as all of Kubernetes should be then' }])(
  'etcd is put back to an older copy and the manager $manager: what etcd forgot is adopted, or ended by whoever knows that it is ours, and nothing is bought twice',
  async ({ manager }) => {
    const fleets = await rig.each((one) => Fleet.bringIntoEveryState(one))
    const copy = await rig.controlPlane.snapshotEtcd()
    await Promise.all(fleets.map((fleet) => fleet.goOn()))

    // Core's caches hold objects of the lost etcd for minutes, so a restore includes a restart of core.
    await rig.lab.core?.kill()
    if (manager !== 'goes on') await rig.lab.manager.stop()
    await rig.controlPlane.restoreEtcd(copy)
    if (manager !== 'goes on') await rig.startManager([], jumpingClock)

    await Promise.all(fleets.map((fleet) => fleet.isClaimedByWhatEtcdKnows()))
    await rig.sweepLong()
    if (manager !== 'goes on') {
      // The process is new: another manager with a copy of that etcd may have created unknown instances.
      await Promise.all(fleets.map((fleet) => fleet.hasKeptTheRest()))
      await rig.each((one) => one.isTheOnlyHolder())
      await rig.sweepLong()
    }
    await Promise.all(fleets.map((fleet) => fleet.hasLostTheRest()))
    await rig.lab.core?.start()
    await rig.each((one) => one.deleteCluster())
    for (const { neighbours } of fleets) await neighbours.areAlone()
  },
)

/** The machines of one cluster: their state in etcd, and their instances. */
class Fleet {
  readonly neighbours: Neighbours
  readonly #one: CloudCluster
  /** It ran, and was replaced after the copy. */
  readonly #removed: string
  /** It ran all the time. */
  readonly #lasting: string
  /** Its create call was under way at the time of the copy. */
  #asked = ''
  /** It waited for its bootstrap data. */
  #waiting = ''
  #goOn = async () => {}
  #bought = new Map<string, string>()

  private constructor(one: CloudCluster, [removed = '', lasting = '']: string[], neighbours: Neighbours) {
    this.#one = one
    this.#removed = removed
    this.#lasting = lasting
    this.neighbours = neighbours
  }

  /** At this moment no object names the instances of the third and the fourth. */
  static async bringIntoEveryState(one: CloudCluster): Promise<Fleet> {
    await one.apply(2)
    const running = await one.running(2)
    const names = running.map(({ metadata }) => metadata.name)
    const fleet = new Fleet(one, names, await moveIn(one, running[1]))
    const launch = one.cloud.control.hold(one.cloud.createAction, 'before', { repeats: true })
    await one.scaleTo(3)
    await launch.reached
    fleet.#asked = (await namesIn(one)).find((name) => !names.includes(name)) ?? ''
    const bringBack = await one.takeBootstrapDataAway()
    await one.scaleTo(4)
    fleet.#waiting = await patiently('one waits for its bootstrap data', async () => {
      const found = (await one.infraMachines()).find(
        (machine) => readyOf(machine)?.reason === 'WaitingForBootstrapData',
      )
      expect(found).toBeDefined()
      return found?.metadata.name ?? ''
    })
    fleet.#goOn = async () => {
      launch.release()
      await bringBack()
      await one.wake(one.machineKind, fleet.#waiting)
    }
    return fleet
  }

  /**
   * Everything that was begun is done, one machine is replaced, and one is added. The restored etcd will not know two
   * of them.
   */
  async goOn(): Promise<void> {
    await this.#goOn()
    await this.#one.running(4)
    await this.#one.deleteMachine(this.#removed)
    const before = await instances(this.#one)
    await patiently(`${this.#removed} is replaced`, async () => {
      expect((await this.#one.running(4)).map(({ metadata }) => metadata.name)).not.toContain(this.#removed)
    })
    await this.#one.scaleTo(5)
    await this.#one.running(5)
    this.#bought = new Map([...before, ...(await instances(this.#one))])
    this.#isBoughtOnce()
  }

  /** Each machine in etcd has its own instance. The one whose instance was ended does not run. */
  async isClaimedByWhatEtcdKnows(): Promise<void> {
    const known = [this.#removed, this.#lasting, this.#asked, this.#waiting]
    await patiently('each machine that etcd knows has its instance', async () => {
      expect(await instances(this.#one)).toEqual(new Map(known.map((name) => [name, this.#bought.get(name)])))
    })
    await this.#one.isReady(this.#removed, (ready) => {
      expect(ready?.status).toBe('False')
      expect(ready?.reason).toMatch(/^Instance(Terminated|Gone)$/)
    })
  }

  /** Nothing is ended, and a condition says why. */
  async hasKeptTheRest(): Promise<void> {
    const all = [...new Set(this.#bought.values())].filter((id) => id !== this.#bought.get(this.#removed))
    expect(this.#one.cloud.alive().map(({ id }) => id)).toEqual(expect.arrayContaining(all))
    await this.#one.isShared()
    this.neighbours.areWell()
  }

  /** The instances without a machine are ended, and no others. */
  async hasLostTheRest(): Promise<void> {
    const claimed = [this.#lasting, this.#asked, this.#waiting].map((name) => this.#bought.get(name))
    const theirs = this.neighbours.instances.map(({ id }) => id)
    await patiently('what belongs to no machine is ended', () => {
      expect(new Set(this.#one.cloud.alive().map(({ id }) => id))).toEqual(new Set([...claimed, ...theirs]))
    })
    this.neighbours.areWell()
    this.#isBoughtOnce()
  }

  /** There were six machines with six instances. Instances of others have the same names, with another owner. */
  #isBoughtOnce(): void {
    const names = [...this.#bought.keys()]
    expect(names).toHaveLength(6)
    const ours = this.#one.cloud.bought().filter((name) => name.includes(`-${this.neighbours.besides}-`))
    const machines = ours.map((name) => names.find((machine) => name.startsWith(`${machine}-`)) ?? name)
    expect(machines.toSorted()).toEqual(names.toSorted())
  }
}

async function namesIn(one: CloudCluster): Promise<string[]> {
  return (await one.infraMachines()).map(({ metadata }) => metadata.name)
}

/** The instance of each machine. */
async function instances(one: CloudCluster): Promise<Map<string, string>> {
  return new Map((await one.infraMachines()).map((machine) => [machine.metadata.name, instanceOf(machine)]))
}
