import { readAttempt } from '../../api/attempt.ts'
import { findCondition } from '../../api/conditions.ts'
import type { InterruptionPolicy, InterruptionPolicySpec } from '../../api/generated/interruption-policy.ts'
import { annotations, core as coreLabels, finalizers, remediationDue } from '../../api/labels.ts'
import type { InfraCluster, InfraMachine, Machine } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { keyOf } from '../../controllers/runtime/client/resource.ts'
import { decidedFor } from '../../api/rules/interruption/in-words.ts'
import { isHooked } from '../../api/rules/interruption/interrupted-machine.ts'
import { fakeScope } from '../support/fakes/fake-cloud.ts'
import { endByHand, endNamed, endOtherManager } from './by-hand.ts'
import { nowOf } from './truth.ts'
import { objectsOf } from './manager.ts'
import { policyObject } from './objects.ts'
import { namespaces, tokenOf, type World } from './world.ts'

const stepMs = 30_000
/** Two rounds of the sweep after its quiet start, every pause, and the hour in which it ends two instances at most. */
const mostMs = 100 * 60_000

/** Without more faults every machine has to settle, and then nothing changes any more. */
export async function comeToRest(world: World): Promise<void> {
  world.calm()
  resumeAll(world)
  const policy = settledPolicy(world)
  // What the policy does about a notice ends the Machine.
  const announced = policy?.onNotice === 'ConditionOnly' ? undefined : world.notices.announceOne()
  const recommended = policy?.onRebalance === 'Replace' ? world.notices.recommendOne() : undefined
  const instanceOf = (machine: Machine) => handleOf(world.machine(keyOf(machine)))
  const noticed = [announced, recommended].flatMap((one) =>
    one ? [{ ...one.metadata, instance: instanceOf(one) }] : [],
  )
  const isStill = (one: Machine) => {
    // An instance that never started is not the Machine's any more. Nobody has announced the end of its next one.
    const instance = instanceOf(one)
    return noticed.some((was) => was.uid === one.metadata.uid && (instance ?? was.instance) === was.instance)
  }
  const stays = () => world.machinesOfCore().filter(isStill)
  const missing = () => [
    ...restless(world),
    ...stays().map(
      (machine) =>
        `${keyOf(machine)} stays, although the end of its instance was announced, or its replacement recommended`,
    ),
  ]
  await until(world, missing, 'Not everything comes to rest')
  world.notices.clear()
  await standStill(world)
}

/** No Machine is even drained any more. */
export async function untilAtRest(world: World): Promise<void> {
  const draining = () => world.machinesOfCore().filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
  const missing = () => [...restless(world), ...draining().map((machine) => `${keyOf(machine)} is being deleted`)]
  await until(world, missing, 'Not everything comes to rest')
}

function restless(world: World): string[] {
  return [unsettled, unserved, unclaimed, going, uncleaned, held].flatMap((missing) => missing(world))
}

/** Everything is deleted, and nothing of ours may be left. */
export async function clearAway(world: World, clustersToo: boolean): Promise<void> {
  world.core.sets.disband()
  for (const machine of world.machines()) world.delete('AWSMachine', keyOf(machine))
  if (clustersToo) for (const namespace of namespaces) world.deleteNamespace(namespace)
  await until(world, () => left(world), 'Something is left')
}

async function until(world: World, missing: () => string[], law: string): Promise<void> {
  for (let waited = 0; waited <= mostMs; waited += stepMs) {
    await world.pass(stepMs)
    if (missing().length === 0) return
    helpAsAsked(world)
  }
  throw new Error(`${law}:\n${missing().join('\n')}`)
}

/** The reason why a machine is not settled; undefined if it is. */
function troubleOf({ cloud }: World, machine: InfraMachine): string | undefined {
  const condition = findCondition(machine.status?.conditions, 'Ready')
  const said = ready(machine)
  if (!condition || machine.metadata.deletionTimestamp || condition.status === 'Unknown') return said
  const token = tokenOf(machine)
  const truth = cloud.alive().find((alive) => nowOf(alive).tag?.token === token)
  const runs = truth !== undefined && nowOf(truth).state === 'running'
  return runs === (condition.status === 'True') ? undefined : `${said} while its instance ${runs ? 'runs' : 'does not'}`
}

function unsettled(world: World): string[] {
  return world.machines().flatMap((machine) => {
    const why = troubleOf(world, machine)
    return why === undefined ? [] : [`${keyOf(machine)}: ${why}`]
  })
}

/** A MachineSet without all its machines, each with a running instance. A failed machine is replaced. */
function unserved({ core }: World): string[] {
  const all = core.machinesOfSets()
  const serves = (machine: Machine) =>
    findCondition(core.infraOf(machine)?.status?.conditions, 'Ready')?.status === 'True'
  if (core.sets.isSettled() && all.every(serves)) return []
  if (all.length === 0) return ['The MachineSets have no Machines']
  return all.map((machine) => {
    const due = findCondition(machine.status?.conditions, remediationDue)
    return `${keyOf(machine)} is not replaced: ${due ? `${due.status} ${due.reason} ${due.message}` : 'nothing is said'}`
  })
}

/** Our hooks, and decisions that are to end a Machine or were taken back. */
function held(world: World): string[] {
  return world.machinesOfCore().flatMap((machine) => {
    const key = keyOf(machine)
    if (isHooked(machine)) return [`${key} has our hook`]
    const decided = decidedFor(machine, handleOf(world.machine(key)))
    if (!decided) return []
    const { act, source } = decided
    if (decided.isWaiting) return [`${key} still waits for its turn`]
    if (act === 'Delete' || act === 'Remediate') return [`${key} stays: ${act}`]
    const isOfNode = source === 'Node' || source === 'Agent'
    return isOfNode && isTakenBack(world, key) ? [`${key} keeps a notice that was taken back: ${act}, ${source}`] : []
  })
}

/** A Node that is gone has taken nothing back. */
function isTakenBack({ nodes }: World, key: string): boolean {
  const node = nodes.all.get(key)
  return node !== undefined && (node.status?.conditions ?? []).length === 0
}

function handleOf(machine: InfraMachine | undefined): string | undefined {
  const reading = machine && readAttempt(machine)
  return reading?.is === 'ours' ? reading.attempt.handle : undefined
}

/** The policy, without an end of every instance that would never let anything rest. */
function settledPolicy({ apiserver }: World): Partial<InterruptionPolicySpec> | undefined {
  const policy = apiserver.get('InterruptionPolicy', 'default/policy') as InterruptionPolicy | undefined
  if (!policy) return undefined
  const { maxLifetimeSeconds, ...spec } = policy.spec
  if (maxLifetimeSeconds !== undefined) apiserver.put('InterruptionPolicy', policyObject(spec))
  return spec
}

/** Our instances without a machine, and leftovers of instances. */
function unclaimed(world: World): string[] {
  const tokens = new Set(world.machines().map(tokenOf))
  const orphans = world.ours().filter((truth) => !tokens.has(nowOf(truth).tag?.token))
  return orphans.map((truth) => `${truth.id}: ${nowOf(truth).state}, and no machine speaks of it`)
}

/** Refused attempts of which something is left. */
function uncleaned(world: World): string[] {
  return world.machines().flatMap((machine) => {
    const reading = readAttempt(machine)
    const left = reading.is === 'ours' ? (reading.attempt.left ?? []) : []
    return left.length > 0 ? [`${keyOf(machine)} still has something left of ${left.join(' and ')}`] : []
  })
}

/** Objects that are being deleted and still exist. */
function going(world: World): string[] {
  const objects = [...world.machines(), ...objectsOf(world.apiserver, 'AWSCluster')]
  const deleted = objects.filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
  return deleted.map((object) => `${keyOf(object)}: ${ready(object)}`)
}

function left(world: World): string[] {
  return [...going(world), ...world.ours().map((truth) => `${truth.id}: ${nowOf(truth).state}`)]
}

/** A manager without work makes no calls: sooner or later there is a minute without a call except lists. */
async function standStill(world: World): Promise<void> {
  for (let minutes = 0; minutes < 10; minutes++) {
    const before = { ...world.wire.calls, passes: world.managers.passes }
    await world.pass(60_000)
    const { create, terminate, find, write } = world.wire.calls
    const made = create + terminate + find + write - before.create - before.terminate - before.find - before.write
    if (made === 0 && world.managers.passes - before.passes <= mostPassesAtRest) return
  }
  throw new Error('Nothing has changed for ten minutes, and calls are still made')
}

/** Two clusters look for orphans twice a minute each. */
const mostPassesAtRest = 10

function resumeAll(world: World): void {
  const resume = ({ metadata }: KubeObject) => {
    const { [coreLabels.paused]: _, ...kept } = metadata.annotations ?? {}
    return { metadata: { ...metadata, annotations: kept } }
  }
  for (const machine of world.machines()) world.edit('AWSMachine', keyOf(machine), resume)
  for (const machine of world.machinesOfCore()) world.notices.resume(keyOf(machine))
  for (const namespace of namespaces) {
    world.edit('Cluster', `${namespace}/c1`, (object) => ({
      spec: { ...(object as KubeObject & { spec: object }).spec, paused: false },
    }))
  }
}

/** Acts as a person who follows the conditions. */
function helpAsAsked(world: World): void {
  for (const machine of world.machines()) {
    const said = ready(machine)
    // The right credentials are back. Launches with others that have no instance are taken back.
    if (isElsewhere(machine)) world.edit('AWSMachine', keyOf(machine), withoutAttempt)
    if (!said.includes('OwnershipConflict')) continue
    if (said.includes('until the annotation is removed')) world.edit('AWSMachine', keyOf(machine), withoutAttempt)
    else if (said.includes('the finalizer of this object')) {
      endByHand(world, machine)
      world.edit('AWSMachine', keyOf(machine), withoutFinalizer)
      world.delete('AWSMachine', keyOf(machine))
    }
  }
  for (const cluster of objectsOf(world.apiserver, 'AWSCluster') as InfraCluster[]) helpCluster(world, cluster)
}

function helpCluster(world: World, cluster: InfraCluster): void {
  if (isElsewhere(cluster)) world.edit('AWSCluster', keyOf(cluster), withoutAccount)
  // Its instances have ended unseen, so only a person knows where they were.
  else if (ready(cluster).includes('AccountUnknown')) world.edit('AWSCluster', keyOf(cluster), withAccount)
  const shared = findCondition(cluster.status?.conditions, 'OwnerIdShared')
  if (shared?.status === 'True' && shared.message.includes('remove annotation')) {
    endOtherManager(world, cluster)
    world.edit('AWSCluster', keyOf(cluster), withoutShared)
  }
  const orphans = findCondition(cluster.status?.conditions, 'OrphansFound')
  if (orphans?.status === 'True' && orphans.message.includes('by hand')) endNamed(world, orphans.message)
}

function isElsewhere(object: KubeObject): boolean {
  const reading = readAttempt(object)
  const hasInstance = reading.is === 'ours' && reading.attempt.handle !== undefined
  return ready(object).includes('OtherAccount') && !hasInstance
}

function withoutAccount({ metadata }: KubeObject): object {
  const { [annotations.account]: _, ...kept } = metadata.annotations ?? {}
  return { metadata: { ...metadata, annotations: kept } }
}

function withAccount({ metadata }: KubeObject): object {
  return {
    metadata: { ...metadata, annotations: { ...metadata.annotations, [annotations.account]: fakeScope.account } },
  }
}

function withoutAttempt({ metadata }: KubeObject): object {
  const { [annotations.attempt]: _, ...kept } = metadata.annotations ?? {}
  return { metadata: { ...metadata, annotations: kept } }
}

function withoutShared({ metadata }: KubeObject): object {
  const { [annotations.ownerIdShared]: _, ...kept } = metadata.annotations ?? {}
  return { metadata: { ...metadata, annotations: kept } }
}

function withoutFinalizer({ metadata }: KubeObject): object {
  const kept = (metadata.finalizers ?? []).filter((name) => name !== finalizers.machine)
  return { metadata: { ...metadata, finalizers: kept } }
}

function ready(object: KubeObject): string {
  const condition = findCondition((object as InfraMachine).status?.conditions, 'Ready')
  return condition ? `${condition.status} ${condition.reason} ${condition.message}` : 'nothing is said'
}
