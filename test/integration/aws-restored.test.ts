import { afterEach, beforeEach, expect, it } from 'vitest'
import { machines } from '../../api/kinds.ts'
import { eventually } from '../lab/eventually.ts'
import { awsMachines, instanceOf, jumpingClock, readyOf, SpotRig } from './spot-rig.ts'
import { launchStranger } from './stranger.ts'

let rig: SpotRig
beforeEach(async () => {
  rig = await SpotRig.alone()
  await rig.startManager([], jumpingClock)
})
afterEach(() => rig[Symbol.asyncDispose]())

it.each([{ manager: 'goes on' }, { manager: 'is started again, as all of Kubernetes should be then' }])(
  'etcd is put back to an older copy and the manager $manager: what etcd forgot is adopted or ended, and nothing is bought twice',
  { timeout: 300_000 },
  async ({ manager }) => {
    await rig.applyExamples(2)
    const [removed = '', lasting = ''] = (await rig.running(2)).map(({ metadata }) => metadata.name)
    const stranger = await launchStranger(rig.aws, lasting)
    const { asked, waiting, goOn } = await bringIntoEveryState()
    const copy = await rig.controlPlane.snapshotEtcd()

    await goOn()
    await rig.running(4)
    await replace(removed)
    await rig.scaleTo(5)
    await rig.running(5)
    const bought = boughtFor()
    expect(bought.size).toBe(6)

    // Core goes by its caches for minutes, which hold what was never written now; so whoever restores starts it again.
    await rig.lab.core?.kill()
    if (manager !== 'goes on') await rig.lab.manager.stop()
    await rig.controlPlane.restoreEtcd(copy)
    if (manager !== 'goes on') await rig.startManager([], jumpingClock)

    const known = [removed, lasting, asked, waiting]
    await eventually('each machine that etcd knows has the instance that was bought for it', async () => {
      const claims = (await rig.awsMachines()).map((machine) => [machine.metadata.name, instanceOf(machine)] as const)
      expect(new Map(claims)).toEqual(new Map(known.map((name) => [name, bought.get(name)])))
    })
    await eventually('the machine that was removed since does not count as served', async () => {
      const machine = (await rig.awsMachines()).find(({ metadata }) => metadata.name === removed)
      expect(readyOf(machine)?.status).toBe('False')
      expect(readyOf(machine)?.reason).toMatch(/^Instance(Terminated|Gone)$/)
    })
    const claimed = [lasting, asked, waiting].map((name) => bought.get(name))
    for (let minutes = 0; minutes <= 20; minutes += 5) await rig.sweepLater()
    await eventually('what belongs to no machine is ended', () => {
      expect(new Set(rig.alive().map(({ id }) => id))).toEqual(new Set([...claimed, stranger]))
    })
    expect(boughtFor()).toEqual(bought)

    await rig.lab.core?.start()
    await rig.deleteCluster()
    expect(rig.alive().map(({ id }) => id)).toEqual([stranger])
  },
)

/**
 * A third machine, whose instance is asked for, and a fourth, whose bootstrap data is not there yet: what EC2 makes for
 * them nobody has written down at this moment.
 */
async function bringIntoEveryState(): Promise<{ asked: string; waiting: string; goOn: () => Promise<void> }> {
  const before = new Set(await names())
  const launch = rig.aws.control.hold('RunInstances', 'before')
  await rig.scaleTo(3)
  await launch.reached
  const asked = (await names()).find((name) => !before.has(name)) ?? ''
  const bringBack = await rig.takeSecretAway('c1-spot-bootstrap')
  await rig.scaleTo(4)
  const waiting = await eventually('one waits for its bootstrap data', async () => {
    const found = (await rig.awsMachines()).find((machine) => readyOf(machine)?.reason === 'WaitingForBootstrapData')
    expect(found).toBeDefined()
    return found?.metadata.name ?? ''
  })
  const goOn = async () => {
    launch.release()
    await bringBack()
    await rig.wake(awsMachines, waiting)
  }
  return { asked, waiting, goOn }
}

async function names(): Promise<string[]> {
  return (await rig.awsMachines()).map(({ metadata }) => metadata.name)
}

/** By machine, the one instance that was ever bought for it. */
function boughtFor(): Map<string, string> {
  const all = rig.aws.control.instances()
  const ours = all.filter(({ tags }) => tags['spot.cluster.x-k8s.io/owner-id'] !== 'somebody-else')
  const bought = ours.map(({ id, tags }) => [tags['Name'] ?? '', id] as const)
  expect(new Set(bought.map(([name]) => name)).size, 'as many machines as instances').toBe(bought.length)
  return new Map(bought)
}

async function replace(name: string): Promise<void> {
  await rig.lab.client.delete(machines, { namespace: rig.namespace, name }, {}, rig.lab.ctx)
  await eventually(`${name} is replaced`, async () => {
    const left = (await rig.running(4)).map(({ metadata }) => metadata.name)
    expect(left).not.toContain(name)
  })
}
