import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { eventually } from '../lab/eventually.ts'
import { begin, outages, pressToWrite, spells, writesSince, type Outage } from './rigs/outage.ts'
import { instanceOf, readyOf } from './rigs/cloud-cluster.ts'
import { SpotRig } from './rigs/spot-rig.ts'

/** By then the manager works again. */
const backWithin = { timeoutMs: 15_000 }

let rig: SpotRig
beforeEach(async () => {
  rig = await SpotRig.alone()
  await rig.startManager()
})
afterEach(() => rig[Symbol.asyncDispose]())

it.each(outages.flatMap((outage) => spells.map((spell) => ({ ...spell, what: outage.what, outage }))))(
  '$what killed for $seconds s and back, $times times: nothing begins meanwhile, and all that was to be done is done then',
  { timeout: 1_200_000 },
  async ({ outage, seconds, times }) => {
    const { pid } = rig.lab.manager
    await rig.applyExamples(0)
    for (let time = 1; time <= times; time++) {
      await rig.scaleTo(2)
      await goThrough(outage, seconds)
      expect(rig.lab.manager.running && rig.lab.manager.pid).toBe(pid)
      await rig.scaleTo(0)
      await eventually('nothing is left of this time', async () => expect(await rig.awsMachines()).toEqual([]))
      expect(rig.alive()).toEqual([])
    }
  },
)

/** While the API server is away, one machine is being created, one deleted, and one taken back. */
async function goThrough(outage: Outage, seconds: number): Promise<void> {
  const [survivor, leaver] = await rig.running(2)
  const [interrupted, removed] = [instanceOf(survivor), instanceOf(leaver)]
  const before = rig.aws.control.instances().length

  const held = await pressToWrite(rig, leaver?.metadata.name ?? '')
  const away = await begin(outage, rig)
  const began = Date.now()
  held.admitted()
  rig.aws.control.interrupt(interrupted)
  await sleep(seconds * 1_000)
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
  expect(rig.aws.control.instances()).toHaveLength(before + 3)
}
