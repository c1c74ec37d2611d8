import type { Ctx } from '../../api/ctx.ts'
import { machines } from '../../api/kinds.ts'
import { readInterruption } from '../../api/interruption.ts'
import { annotations, core } from '../../api/labels.ts'
import type { EventReason } from '../../api/reasons.ts'
import { decidedFor } from '../../api/rules/interruption/in-words.ts'
import { isPaused, type Machine } from '../../api/machine.ts'
import type { OwnerReference } from '../../api/meta.ts'
import {
  controllingMachineSet,
  interruptedMachine,
  type MachineWrite,
  type NextWrite,
} from '../../api/rules/interruption/interrupted-machine.ts'
import { exclusionsOf } from '../../api/rules/markers.ts'
import { isConflict, isInvalid, isNotFound } from '../runtime/client/api-error.ts'
import { soonestRequeue, type Result } from '../runtime/controller/result.ts'
import { decide, decidePlanned } from './decide.ts'
import type { DecisionDeps, InterruptionDeps } from './deps.ts'
import { isCalledOff, nextTurn, plannedFor } from './planned/planned.ts'
import { ofDetach } from './priorities.ts'
import { isInfraGone } from '../shared/infra-of.ts'
import { rehearsal } from './rehearsal.ts'
import { isWithdrawn } from './withdrawal/withdrawn.ts'
import { interruptionOf, isInfraKnown, isOver, isReplaced, machineSetNow, sceneOf, type Scene } from './scene.ts'

/** After a second conflict. The event of the newer Machine comes sooner, as a rule. */
const afterConflictMs = 500
/** While the list of a kind of infra machines fails, or the cache does not show one that exists. */
const unknownYet: Result = { requeueAfterMs: 5_000, reason: 'its infra machine is not known yet' }

/** Decides about a notice, and brings a Machine with a decision nearer to its end. */
export async function reconcileInterruption(key: string, deps: DecisionDeps, ctx: Ctx): Promise<Result> {
  const cached = deps.machines.get(key)
  if (!cached) {
    deps.notices.forget(key)
    deps.deleted.forget(key)
    return 'done'
  }
  const deleted = deps.deleted.of(cached, ctx.clock)
  // The cache is older than our last write. The event of that write comes next.
  if (!deleted && !deps.ownWrites.isIn(cached, ctx.clock.monotonic())) return 'done'
  try {
    return await (deleted ? detachDeleted(deleted, deps, ctx) : pass(cached, deps, ctx))
  } catch (thrown) {
    if (!isConflict(thrown) && !isInvalid(thrown)) throw thrown
  }
  return passAnew(cached, deps, ctx)
}

/** The cache is late, by minutes in a large storm. Another write of what it shows would be another conflict. */
async function passAnew({ metadata }: Machine, deps: DecisionDeps, ctx: Ctx): Promise<Result> {
  const { namespace, name, uid } = metadata
  try {
    const standing = await deps.client.get<Machine>(machines, { namespace, name }, ctx)
    if (standing.metadata.uid !== uid) return 'done'
    deps.ownWrites.note(standing, ctx.clock.monotonic())
    return await pass(standing, deps, ctx)
  } catch (thrown) {
    if (isNotFound(thrown)) return 'done'
    if (isConflict(thrown) || isInvalid(thrown)) return lateCache
    throw thrown
  }
}

const lateCache: Result = { requeueAfterMs: afterConflictMs, reason: 'the cache is late' }

async function pass(standing: Machine, deps: DecisionDeps, ctx: Ctx): Promise<Result> {
  if (!isInfraKnown(standing, deps)) return unknownYet
  const scene = sceneOf(standing, deps)
  if (isPaused(standing, scene.cluster)) return 'done'
  const machine = await decideAll(scene, deps, ctx)
  tellForeign(scene, deps, ctx)
  const next = await goOn({ ...scene, machine }, deps, ctx)
  return soonestRequeue(next, nextTurn({ ...scene, machine }, deps, ctx))
}

/** Decides about all that is announced of the Machine. Returns the Machine as it stands then. */
async function decideAll(scene: Scene, deps: DecisionDeps, ctx: Ctx): Promise<Machine> {
  const { key, machine } = scene
  const asked = deps.notices.of(key) ? undefined : await rehearsal(scene, deps, ctx)
  let written = asked ? await decide(scene, asked, deps, ctx) : machine
  for (let notice = deps.notices.of(key); notice; notice = deps.notices.of(key)) {
    written = await decide({ ...scene, machine: written }, notice, deps, ctx)
    deps.notices.decided(key, notice)
  }
  const now = { ...scene, machine: written }
  const planned = plannedFor(now, deps, ctx.clock.now())
  return planned ? decidePlanned(now, planned, deps, ctx) : written
}

/** A decision that is not about this Machine and its instance begins nothing. People hear of it once. */
function tellForeign({ machine, infra, instance }: Scene, { recorder }: InterruptionDeps, ctx: Ctx): void {
  const reading = readInterruption(machine)
  if (!infra || reading.is === 'none' || decidedFor(machine, instance)) return
  const why = reading.is === 'foreign' ? reading.why : `It was made for instance ${reading.interruption.instance}.`
  const reason: EventReason = 'InterruptionForeign'
  const message = `The annotation ${annotations.interruption} of the Machine has no effect. ${why} Remove it.`
  recorder.event({ object: infra, type: 'Warning', reason, message }, ctx)
}

async function goOn(scene: Scene, deps: DecisionDeps, ctx: Ctx): Promise<Result> {
  const { write, lookAgainAt } = nextWrite(scene, deps, ctx)
  // The infra machine tells whether the decision is about this Machine's instance.
  const isBlind = write?.do === 'delete' && !scene.infra
  if (isBlind && !(await isInfraGone(scene.machine, deps.client, ctx))) return unknownYet
  const isThere = write === undefined || (await send(scene, write, deps, ctx))
  if (!isThere) return 'done'
  if (write?.do === 'delete') {
    const deleted = deps.deleted.note(scene.machine, ctx.clock)
    return deps.isBusy() ? deletesFirst : detachDeleted(deleted, deps, ctx)
  }
  if (lookAgainAt === undefined) return 'done'
  return { requeueAfterMs: Math.max(0, lookAgainAt - ctx.clock.now()), reason: 'the drain begins then at the latest' }
}

const deletesFirst: Result = { requeueAfterMs: 0, reason: 'the deletes of other Machines go first', priority: ofDetach }

/**
 * The detach needs no event of the delete. What else is to be done with the Machine depends on its version, and waits
 * until the cache shows that.
 */
async function detachDeleted(machine: Machine, deps: DecisionDeps, ctx: Ctx): Promise<Result> {
  const scene = sceneOf(machine, deps)
  if (isPaused(machine, scene.cluster)) return 'done'
  const { write } = nextWrite(scene, deps, ctx)
  // If this fails, the next pass begins from what the cache shows.
  deps.deleted.forget(scene.key)
  if (write?.do !== 'patch' || write.ownerReferences === undefined) return 'done'
  await send(scene, { do: 'patch', ownerReferences: write.ownerReferences }, deps, ctx)
  return 'done'
}

function nextWrite(scene: Scene, deps: InterruptionDeps, ctx: Ctx): NextWrite {
  const { machine, cluster } = scene
  const interruption = interruptionOf(scene)
  const now = ctx.clock.now()
  const { namespace } = machine.metadata
  const controller = controllingMachineSet(machine)
  return interruptedMachine({
    machine,
    interruption,
    cluster,
    hasEnded: isOver(scene),
    machineSet: machineSetNow(namespace, interruption?.machineSet ?? controller, deps),
    isSetGone: deps.machineSets.get(`${namespace}/${controller}`) === undefined,
    isReplaced: isReplaced(scene, interruption, deps, now),
    isWithdrawn: isCalledOff(scene, deps, now),
    now,
  })
}

/** False: the Machine is gone. */
async function send(scene: Scene, write: MachineWrite, deps: InterruptionDeps, ctx: Ctx): Promise<boolean> {
  try {
    await (write.do === 'delete' ? remove(scene, deps, ctx) : patch(scene, write, deps, ctx))
    return true
  } catch (thrown) {
    if (isNotFound(thrown)) return false
    throw thrown
  }
}

async function remove({ machine, key }: Scene, { client }: InterruptionDeps, ctx: Ctx): Promise<void> {
  const { namespace, name, uid } = machine.metadata
  await client.delete(machines, { namespace, name }, { uid }, ctx)
  ctx.log.info('Machine deleted because of a notice', { Machine: key })
}

type Patch = Extract<MachineWrite, { do: 'patch' }>

async function patch(scene: Scene, write: Patch, deps: InterruptionDeps, ctx: Ctx): Promise<void> {
  const { machine, key } = scene
  const { ownerReferences, unhook, forget } = write
  const written =
    ownerReferences && unhook === undefined
      ? await detach(machine, ownerReferences, deps, ctx)
      : await patchMachine(scene, write, deps, ctx)
  deps.ownWrites.note(written, ctx.clock.monotonic())
  ctx.log.info('Interrupted Machine', { Machine: key, detached: ownerReferences !== undefined, unhook, forget })
  const decided = interruptionOf(scene)
  const isBack = forget && decided && isWithdrawn(scene, decided, deps)
  if (isBack && scene.scope) deps.series.notice(scene.scope.cloud, decided, 'withdrawn')
}

/** Core writes to a Machine that it deletes all the time. Only another write of the owners is a conflict. */
async function detach(
  { metadata }: Machine,
  ownerReferences: readonly OwnerReference[],
  { client }: InterruptionDeps,
  ctx: Ctx,
): Promise<Machine> {
  const { namespace, name, uid } = metadata
  const operations = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/ownerReferences', value: metadata.ownerReferences },
    { op: 'replace', path: '/metadata/ownerReferences', value: ownerReferences },
  ] as const
  return client.jsonPatch<Machine>(machines, { namespace, name }, operations, ctx)
}

async function patchMachine(
  { machine, infra }: Scene,
  { ownerReferences, unhook, forget }: Patch,
  { client }: InterruptionDeps,
  ctx: Ctx,
): Promise<Machine> {
  const { namespace, name, uid, resourceVersion } = machine.metadata
  const noted = {
    ...(unhook === undefined ? {} : { ...exclusionsOf(machine, infra), [core.preDrainHook]: null }),
    ...(forget ? { [annotations.interruption]: null } : {}),
  }
  const patch = {
    metadata: { uid, resourceVersion, annotations: noted, ...(ownerReferences ? { ownerReferences } : {}) },
  }
  return client.mergePatch<Machine>(machines, { namespace, name }, { patch }, ctx)
}
