import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { machines } from '../../api/kinds.ts'
import type { ControlPlaneFaults } from '../lab/control-plane.ts'
import { eventually } from '../lab/eventually.ts'
import { instanceOf, readyOf, SpotRig } from './spot-rig.ts'

/** CAPSPOT_LONG: as long as it takes to replace a control plane node. */
const outageMs = process.env['CAPSPOT_LONG'] ? 30_000 : 6_000
/** By then the manager is at work again. */
const backWithin = { timeoutMs: 15_000 }
/** Cluster API's own watches wait up to half a minute, each for itself. */
const coreWithin = { timeoutMs: 120_000 }

let rig: SpotRig
beforeEach(async () => {
  rig = await SpotRig.alone()
  await rig.startManager()
})
afterEach(() => rig[Symbol.asyncDispose]())

interface Outage {
  readonly what: string
  begin(controlPlane: ControlPlaneFaults): Promise<void>
  end(controlPlane: ControlPlaneFaults): Promise<void>
}

it.each<Outage>([
  { what: 'kube-apiserver', begin: (faults) => faults.killApiserver(), end: (faults) => faults.startApiserver() },
  { what: 'etcd', begin: (faults) => faults.killEtcd(), end: (faults) => faults.startEtcd() },
])(
  '$what killed and back: nothing begins meanwhile, and all that was to be done is done then',
  { timeout: 300_000 },
  async (outage) => {
    await rig.applyExamples(2)
    const [survivor, leaver] = await rig.running(2)
    const { pid } = rig.lab.manager
    const [interrupted, removed] = [instanceOf(survivor), instanceOf(leaver)]

    const held = await pressToWrite(leaver?.metadata.name ?? '')
    await outage.begin(rig.controlPlane)
    const began = Date.now()
    held.letGo()
    rig.aws.control.interrupt(interrupted)
    await sleep(outageMs)
    expect(writesSince(began), 'calls that change something, while nobody could know what for').toEqual([])
    await outage.end(rig.controlPlane)
    await eventually('the API server is back', () => rig.lab.client.raw('/readyz', rig.lab.ctx), { timeoutMs: 60_000 })

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
    await rig.scaleTo(4)
    await eventually(
      'core is back and asks for more',
      async () => expect(await rig.awsMachines()).toHaveLength(4),
      coreWithin,
    )
    await eventually('all that core asks for runs', () => expect(rig.alive()).toHaveLength(3), backWithin)

    await eventually('each machine has its own instance, and each instance its machine', async () => {
      const claimed = (await rig.awsMachines()).map(instanceOf)
      expect(claimed.sort()).toEqual([interrupted, ...rig.alive().map(({ id }) => id)].sort())
    })
    expect(rig.aws.control.instances()).toHaveLength(5)
    expect(rig.lab.manager.running && rig.lab.manager.pid).toBe(pid)
  },
)

/** A machine to be ended and another to be launched, both refused so far and tried again and again. */
async function pressToWrite(leaver: string): Promise<{ letGo(): void }> {
  const busy = { code: 'Unavailable', message: 'Not now.', status: 503 }
  for (const action of ['RunInstances', 'TerminateInstances']) rig.aws.control.failNext(action, 1_000, busy)
  await rig.scaleTo(3)
  await rig.lab.client.delete(machines, { namespace: rig.namespace, name: leaver }, {}, rig.lab.ctx)
  await eventually('both are asked for', () => {
    const refused = rig.aws.control.requests().filter(({ answer }) => answer?.code === busy.code)
    expect(new Set(refused.map(({ action }) => action))).toEqual(new Set(['RunInstances', 'TerminateInstances']))
  })
  return { letGo: () => rig.aws.control.clearFaults() }
}

function writesSince(began: number): string[] {
  const changing = /^(RunInstances|TerminateInstances|CreateTags)$/
  const calls = rig.aws.control.requests().filter(({ action, at }) => at >= began && changing.test(action))
  return calls.map(({ action, at }) => `${action} after ${at - began} ms`)
}
