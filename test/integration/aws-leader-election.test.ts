import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Resource } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import { freePort } from '../lab/processes/port.ts'
import { manager as installed } from '../lab/install.ts'
import { begin, lasting, outages, pressToWrite, writesSince } from './rigs/outage.ts'
import { instanceOf, readyOf } from './rigs/cloud-cluster.ts'
import { SpotRig } from './rigs/spot-rig.ts'
import { Supervisor } from './rigs/supervisor.ts'

const leases: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
}
const identity = 'the-uid-of-its-pod'
/** The time until a lost lease ends the manager: 10 s after its last renewal. */
const endsWithin = { timeoutMs: 15_000 }
const backWithin = { timeoutMs: 15_000 }

let rig: SpotRig
let port: number
let supervisor: Supervisor
beforeEach(async () => {
  rig = await SpotRig.alone()
  port = await freePort()
  const elected = ['--leader-elect', '--leader-election-identity', identity]
  supervisor = await Supervisor.start(rig, [...elected, '--metrics-bind-address', `127.0.0.1:${port}`])
})
afterEach(async () => {
  await supervisor[Symbol.asyncDispose]()
  await rig[Symbol.asyncDispose]()
})

it.each(outages)(
  '$what killed and back: the leader ends, nothing begins meanwhile, and it is soon at work again',
  async (outage) => {
    await rig.applyExamples(2)
    const [survivor, leaver] = await rig.running(2)
    const [interrupted, removed] = [instanceOf(survivor), instanceOf(leaver)]

    const held = await pressToWrite(rig, leaver?.metadata.name ?? '')
    const away = await begin(outage, rig)
    const began = Date.now()
    held.admitted()
    rig.aws.control.interrupt(interrupted)
    await eventually('the leader ends', () => expect(supervisor.ends).toEqual([{ code: 1, signal: null }]), endsWithin)
    expect(rig.lab.manager.logs()).toMatch(/The lease \S+ could not be renewed for 10 s/)
    await sleep(Math.max(0, began + lasting(16_000) - Date.now()))
    expect(writesSince(rig, began), 'calls that change something, while nobody could know what for').toEqual([])
    await away.end()

    await eventually(
      'what was held back is done',
      () => {
        expect(rig.instance(removed)?.state).toMatch(/^(shutting-down|terminated)$/)
        expect(rig.aws.control.instances().length, 'instances ever').toBeGreaterThan(2)
      },
      backWithin,
    )
    await eventually('the interruption is reported', async () => {
      const reported = (await rig.awsMachines()).find(({ metadata }) => metadata.name === survivor?.metadata.name)
      expect(readyOf(reported)).toMatchObject({ status: 'False', reason: 'Interrupted' })
    })
    await eventually('the manager knows what the API server knows', async () => {
      expect(await countedByManager()).toEqual(await countedByList())
    })
    expect(supervisor.ends, 'the ends of the manager').toHaveLength(1)
    expect(await holder()).toMatch(new RegExp(`^${identity}/.`))
  },
)

/** The number of machines for each reason, by the manager's cache. */
async function countedByManager(): Promise<Record<string, number>> {
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const lines = page.matchAll(/^capspot_machines\{(?=.*kind="AWSMachine").*reason="(\w+)".*\} (\d+)$/gm)
  const counts = [...lines].map(([, reason = '', count]) => [reason, Number(count)] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

async function countedByList(): Promise<Record<string, number>> {
  const reasons = Map.groupBy(await rig.awsMachines(), (machine) => readyOf(machine)?.reason ?? 'None')
  return Object.fromEntries([...reasons].map(([reason, machines]) => [reason, machines.length]))
}

async function holder(): Promise<string | undefined> {
  const ref = { namespace: installed.namespace, name: 'controller-leader-election-capspot' }
  const lease = await rig.lab.client.get<{ spec?: { holderIdentity?: string } }>(leases, ref, rig.lab.ctx)
  return lease.spec?.holderIdentity
}
