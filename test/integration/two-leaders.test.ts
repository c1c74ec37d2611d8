import path from 'node:path'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { machines } from '../../api/kinds.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import { untilItStandsStill, whileItStandsStill } from '../lab/stand-still.ts'
import type { Hold } from '../simulators/kit/faults/faults.ts'
import { changesTo, isChange, lastCall } from './seen/changes.ts'
import { attemptOf, instanceOf, type CloudCluster } from './rigs/cloud-cluster.ts'
import { CloudsRig, oneCloud } from './rigs/clouds-rig.ts'
import { patiently } from './seen/patiently.ts'

/** The clouds listen at this address. The second leader gets another name of it, which identifies its calls. */
const hosts = { first: '127.0.0.1', second: 'localhost' }
/** The ten seconds of the renew deadline and one more. It takes a fraction of a second. */
const endsWithin = { timeoutMs: 11_000, everyMs: 10 }
/** The manager makes a call again after 30 s without an answer. */
const repeats = { repeats: true }

let rig: CloudsRig
let beside: Lab
beforeEach(async () => {
  rig = await CloudsRig.start(inject('cluster'), oneCloud)
  beside = await startLab({ cluster: rig.lab.cluster, manager: inject('manager'), accounts: rig.lab })
})
afterEach(async () => {
  await beside.stop()
  await rig[Symbol.asyncDispose]()
})

it('a leader that stands still beyond its lease, while another goes on with its machines, begins nothing when it wakes, and ends', async () => {
  await startFirst()
  await rig.each((one) => one.apply(3))
  await rig.each((one) => one.running(3))
  await startSecond()
  const underWay = await rig.each(bringUnderWay)
  await stopAtGate()
  const stopped = await rig.each((one) => standing(one, underWay[rig.clusters.indexOf(one)]))

  await whileItStandsStill(rig.lab.manager.pid, async () => {
    // These answers wait for it: a changing call follows each, if nothing stops it.
    for (const { answers } of underWay) for (const hold of answers) hold.release()
    await patiently('the second leads', () => expect(beside.manager.logs()).toContain('Holding the lease'))
    await rig.each((one) => one.running(one.cloud.name === 'aws' ? 6 : 3))
    // These calls come late: the second leader has done their work.
    for (const { calls } of underWay) for (const hold of calls) hold.release()
    await patiently('the late calls are answered', async () => {
      for (const { calls } of underWay) for (const { reached } of calls) expect((await reached).answer).toBeDefined()
    })
  })
  await eventually('the first ends', () => expect(rig.lab.manager.running).toBe(false), endsWithin)
  expect(await rig.lab.manager.exited).toEqual({ code: 1, signal: null })
  expect(rig.lab.manager.logs()).toMatch(/The lease \S+ (could not be renewed for 10 s|is held by)/)

  for (const [at, { cloud }] of rig.clusters.entries()) {
    expect(changesBy(hosts.first, cloud), 'by the first').not.toEqual([])
    expect(changesBy(hosts.second, cloud), 'by the second').not.toEqual([])
    expect(changesBy(hosts.first, cloud, stopped[at]?.since), 'by the first after its lease').toEqual([])
  }
  await rig.each(async (one) => {
    await one.afterPolls(3)
    await expectNothingTwice(one, stopped[rig.clusters.indexOf(one)])
    await one.deleteCluster()
    expect(one.cloud.remains()).toEqual([])
  })
  expect(beside.manager.running).toBe(true)
})

/** The call of the first leader at the moment of its stop. */
interface UnderWay {
  /** Sent, and not done. */
  readonly calls: readonly Hold[]
  /** Done, and the answer is unread. */
  readonly answers: readonly Hold[]
  /** The instance of the machine that stays. */
  readonly inUse: string
}

/** Two machines are being created and two terminated, each at its own point. */
async function bringUnderWay(one: CloudCluster): Promise<UnderWay> {
  const { cloud } = one
  const { control, createAction, endAction } = cloud
  const [staying, ...leaving] = await one.running(3)
  for (const machine of leaving) await isFirstToGo(machine, one)
  const late = control.hold(createAction, 'before', repeats)
  const done = control.hold(createAction, 'after', repeats)
  await one.scaleTo(3 + 2)
  await Promise.all([late.reached, done.reached])

  const end = control.hold(endAction, 'before', repeats)
  // On EC2 the call before it, because there is no call to the management cluster between the two.
  const lookOrEnd = cloud.name === 'aws' ? heldLook(cloud) : Promise.resolve(control.hold(endAction, 'after', repeats))
  await one.scaleTo(1 + 2)
  await end.reached
  const other = await lookOrEnd
  await other.reached
  return { calls: [late, end], answers: [done, other], inUse: instanceOf(staying) }
}

/**
 * One more machine brings it to the gate. It stops itself there, and continues there. Core also counts Machines that
 * are being deleted: the sixth is created while they go, and two more when they are gone.
 */
async function stopAtGate(): Promise<void> {
  rig.lab.manager.kill('SIGUSR2')
  await rig.clusters.find(({ cloud }) => cloud.name === 'aws')?.scaleTo(6)
  await untilItStandsStill(rig.lab.manager.pid, 120_000)
}

/** The state when the first leader stops. */
interface Standing {
  /** By the names of the remaining machines. */
  readonly tokens: ReadonlyMap<string, string>
  /** It has served all the time. */
  readonly inUse: string
  /** The number of the last call before. */
  readonly since: number
}

async function standing(one: CloudCluster, underWay: UnderWay | undefined): Promise<Standing> {
  const stay = (await one.infraMachines()).filter(({ metadata }) => !metadata.deletionTimestamp)
  const inUse = underWay?.inUse ?? ''
  expect(stay.map(instanceOf)).toContain(inUse)
  return { tokens: new Map(tokensOf(stay)), inUse, since: lastCall(one.cloud) }
}

/**
 * The machines that its MachineDeployment removes when it is scaled down. Core's copy of the Machine has the mark when
 * the Node has its label; before that core would remove another one.
 */
async function isFirstToGo({ metadata: { name } }: InfraMachine, one: CloudCluster): Promise<void> {
  const { namespace, lab } = one
  const mark = { 'node.cluster.x-k8s.io/leaving': name }
  const patch = { metadata: { annotations: { 'cluster.x-k8s.io/delete-machine': '' }, labels: mark } }
  await lab.client.mergePatch(machines, { namespace, name }, { patch }, lab.ctx)
  await patiently('core has seen who is to go', async () => {
    expect((await one.nodes()).map(({ metadata }) => metadata.labels)).toContainEqual(expect.objectContaining(mark))
  })
}

/** The answer to the read of one instance right before its end. All lists pass. */
async function heldLook({ control, isList }: LabCloud): Promise<Hold> {
  for (let hold = control.hold('DescribeInstances', 'after', repeats); ;) {
    const request = await hold.reached
    if (!isList(request)) return hold
    const next = control.hold('DescribeInstances', 'after', repeats)
    hold.release()
    hold = next
  }
}

/** The machines are the same as at the first leader's stop, each with one instance. */
async function expectNothingTwice(one: CloudCluster, was: Standing | undefined): Promise<void> {
  const { cloud } = one
  const made = await one.infraMachines()
  const tokens = tokensOf(made)
  expect(tokens.filter(([name]) => was?.tokens.has(name))).toEqual([...(was?.tokens ?? [])])
  expect(ids(cloud.alive())).toEqual(made.map(instanceOf).sort())
  expect(cloud.bought(), 'beside the two that were ended').toHaveLength(made.length + 2)
  const served = cloud.alive().filter(({ id }) => id === was?.inUse)
  expect(served).toHaveLength(1)
  expect(changesTo(served, cloud, was?.since)).toEqual([])
}

/** The attempts, by name of the machine. */
function tokensOf(all: readonly InfraMachine[]): [string, string][] {
  const tokens = all.map((machine): [string, string] => [machine.metadata.name, attemptOf(machine)?.token ?? ''])
  return tokens.filter(([, token]) => token !== '').sort(([one], [other]) => one.localeCompare(other))
}

function ids(instances: readonly { id: string }[]): string[] {
  return instances.map(({ id }) => id).sort()
}

function changesBy(host: string, { control }: LabCloud, since = 0): string[] {
  const calls = control.requests().filter(({ number, origin }) => number > since && new URL(origin).hostname === host)
  return calls.filter(isChange).map(({ action, params }) => `${action} ${JSON.stringify(params)}`)
}

const elected = ['--leader-elect']
const stoppingAtGate = {
  NODE_OPTIONS: `--import=${path.join(import.meta.dirname, '..', 'lab', 'stop-at-gate.ts')}`,
}

async function startFirst(): Promise<void> {
  await rig.startManager(elected, stoppingAtGate)
}

async function startSecond(): Promise<void> {
  const environments = rig.clusters.map(({ cloud }) => Object.entries(cloud.environment))
  const env = Object.fromEntries(
    environments
      .flat()
      .map(([name, value]) => [name, value?.replace(`http://${hosts.first}`, `http://${hosts.second}`)]),
  )
  await beside.manager.start({ args: ['--poll-interval', '1s', '--namespace', rig.namespace, ...elected], env })
  await patiently('the second waits', () => expect(beside.manager.logs()).toContain('"Starting"'))
}
