import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { eventually } from '../lab/eventually.ts'
import { begin, lasting, outages, pressToWrite, writesSince } from './outage.ts'
import { instanceOf, readyOf } from './cloud-cluster.ts'
import { SpotRig } from './spot-rig.ts'

/** By then the manager is at work again. */
const backWithin = { timeoutMs: 15_000 }

let rig: SpotRig
beforeEach(async () => {
  rig = await SpotRig.alone()
  await rig.startManager()
})
afterEach(() => rig[Symbol.asyncDispose]())

it.each(outages)(
  '$what killed and back: nothing begins meanwhile, and all that was to be done is done then',
  { timeout: 300_000 },
  async (outage) => {
    await rig.applyExamples(2)
    const [survivor, leaver] = await rig.running(2)
    const { pid } = rig.lab.manager
    const [interrupted, removed] = [instanceOf(survivor), instanceOf(leaver)]

    const held = await pressToWrite(rig, leaver?.metadata.name ?? '')
    const away = await begin(outage, rig)
    const began = Date.now()
    held.letGo()
    rig.aws.control.interrupt(interrupted)
    await sleep(lasting(6_000))
    expect(writesSince(rig, began), 'calls that change something, while nobody could know what for').toEqual([])
    await away.end()

    await eventually(
      'what was held back is done',
      () => {
        expect(rig.instance(removed)?.state).toMatch(/^(shutting-down|terminated)$/)
        expect(rig.alive()).not.toEqual([])
      },
      backWithin,
    )
    await eventually('the interruption is reported', async () => {
      const reported = (await rig.awsMachines()).find(({ metadata }) => metadata.name === survivor?.metadata.name)
      expect(readyOf(reported)).toMatchObject({ status: 'False', reason: 'Interrupted' })
    })
    await rig.lab.core?.start()
    await rig.scaleTo(4)
    await eventually('core asks for more', async () => expect(await rig.awsMachines()).toHaveLength(4))
    await eventually('all that core asks for runs', () => expect(rig.alive()).toHaveLength(3), backWithin)

    await eventually('each machine has its own instance, and each instance its machine', async () => {
      const claimed = (await rig.awsMachines()).map(instanceOf)
      expect(claimed.sort()).toEqual([interrupted, ...rig.alive().map(({ id }) => id)].sort())
    })
    expect(rig.aws.control.instances()).toHaveLength(5)
    expect(rig.lab.manager.running && rig.lab.manager.pid).toBe(pid)
  },
)
