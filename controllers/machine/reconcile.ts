import { annotations } from '../../api/labels.ts'
import { timeOf } from '../../api/conditions.ts'
import { readAttempt, type AttemptReading } from '../../api/attempt.ts'
import type { Ctx } from '../../api/ctx.ts'
import { clusterLabelOf, isMovedAway, isPaused, ownerNamed, type InfraMachine } from '../../api/machine.ts'
import { turnAfterMs } from '../../providers/wire/limiter.ts'
import { infraClusterOf } from '../shared/infra-cluster.ts'
import { isConflict } from '../runtime/client/api-error.ts'
import { soonestRequeue, type Result } from '../runtime/controller/result.ts'
import { keyOf } from '../runtime/client/resource.ts'
import type { MachineDeps, Step, WholePass } from './pass.ts'
import { phaseNow } from './phase.ts'
import { followed } from './followed.ts'
import { forget } from './forget.ts'
import { isRemoved } from './status/patch.ts'
import { report, reportPaused } from './status/report.ts'
import { cleanLeft } from './steps/clean-left.ts'
import { cleanUp } from './steps/clean-up.ts'
import { extend } from './steps/extend.ts'
import { label } from './steps/label.ts'
import { launch } from './steps/launch.ts'
import { observe } from './steps/observe.ts'
import { ensureFinalizer } from './steps/ensure-finalizer.ts'
import { recover } from './steps/recover.ts'
import { terminate } from './steps/terminate.ts'

/** The life of one machine, in order. */
const living: readonly Step<WholePass>[] = [
  ensureFinalizer,
  recover,
  launch,
  observe,
  cleanUp,
  cleanLeft,
  extend,
  label,
]
const deleting: readonly Step<WholePass>[] = [recover, cleanLeft, terminate]

/** Runs every step, collects the failures, writes the status once, and returns the soonest requeue of the steps. */
export async function reconcileMachine(key: string, deps: MachineDeps, ctx: Ctx): Promise<Result> {
  const infra = deps.infraMachines.get(key)
  if (!infra) {
    forget(key, deps)
    return 'done'
  }
  await rereadIfUncertain(infra, deps, ctx)
  if (!deps.ownWrites.isIn(infra, ctx.clock.monotonic()))
    return { requeueAfterMs: 500, reason: 'the cache has not seen our own last write yet' }
  const known = await look(infra, deps, ctx)
  if (isPaused(infra, known.cluster)) {
    // clusterctl move deletes this copy next, so its status would be for no reader.
    if (!isMovedAway(infra)) await reportPaused(known, ctx)
    return 'done'
  }
  const isLeaving = infra.metadata.deletionTimestamp !== undefined
  const pass: WholePass = {
    ...known,
    phase: phaseNow(known, isLeaving),
    instance: undefined,
    isRecovered: false,
    leavesParts: false,
    systemCheck: undefined,
    ready: undefined,
  }
  const nexts: Result[] = []
  const failures: Error[] = []
  for (const step of isLeaving ? deleting : living) {
    try {
      nexts.push(await step(pass, ctx))
    } catch (thrown) {
      const turnInMs = turnAfterMs(thrown)
      if (turnInMs === undefined) failures.push(asError(thrown))
      else nexts.push({ requeueAfterMs: turnInMs, reason: 'its turn at the cloud comes later' })
    }
  }
  return finish(pass, { nexts, failures }, ctx)
}

/** The one write of the status, unless core is about to write. */
async function finish(
  pass: WholePass,
  { nexts, failures }: { nexts: readonly Result[]; failures: Error[] },
  ctx: Ctx,
): Promise<Result> {
  const awaitedMs = failures.length > 0 ? 0 : ownerAwaitedMs(pass, ctx.clock.now())
  if (awaitedMs > 0) return soonestRequeue(...nexts, { requeueAfterMs: awaitedMs, reason: 'core sets the owner next' })
  try {
    if (!isRemoved(pass)) await report(pass, ctx)
  } catch (thrown) {
    failures.push(asError(thrown))
  }
  const [first, ...others] = failures
  // After another client's write, every further write of the pass fails too. That is one cause.
  if (others.some((failure) => !isConflict(failure)))
    throw new AggregateError(failures, 'Several steps of the pass failed')
  if (first) throw first
  return soonestRequeue(...nexts)
}

/** Core sets the owner within this time, unless it has much to do. */
const ownedAfterMs = 10_000

/**
 * For how long the status of a new object waits for its owner. Core writes to an object that it has just made, with the
 * version as precondition. Then it makes the Machine, and the next object only after that.
 */
function ownerAwaitedMs({ infra, machine, phase }: WholePass, now: number): number {
  const createdAt = timeOf(infra.metadata.creationTimestamp)
  if (machine || phase !== 'unrequested' || createdAt === undefined) return 0
  return Math.min(ownedAfterMs, createdAt + ownedAfterMs - now)
}

/**
 * After a write without a definite answer: reads the object again. No pass decides until the cache shows that state.
 */
async function rereadIfUncertain(
  infra: InfraMachine,
  { client, ownWrites, resource }: MachineDeps,
  ctx: Ctx,
): Promise<void> {
  if (!ownWrites.isUncertain(infra, ctx.clock.monotonic())) return
  const { namespace, name } = infra.metadata
  ownWrites.note(await client.get<InfraMachine>(resource, { namespace, name }, ctx), ctx.clock.monotonic())
}

type Known = Omit<WholePass, 'phase' | 'instance' | 'isRecovered' | 'leavesParts' | 'ready' | 'systemCheck'>

async function look(infra: InfraMachine, deps: MachineDeps, ctx: Ctx): Promise<Known> {
  const key = keyOf(infra)
  const { namespace } = infra.metadata
  const machineName = ownerNamed(infra, 'Machine')
  const machine = machineName === undefined ? undefined : deps.machines.get(`${namespace}/${machineName}`)
  const clusterName = machine?.spec.clusterName ?? clusterLabelOf(infra)
  const cluster = clusterName === undefined ? undefined : deps.clusters.get(`${namespace}/${clusterName}`)
  const infraCluster = infraClusterOf(cluster, deps)
  const ownerId = cluster?.metadata.annotations?.[annotations.ownerId]
  const cloud = await deps.cloud()
  const home = infraCluster && cloud.scopeOf(infraCluster)
  // Owner, machine and token on the instance prove its owner. The Cluster's present owner id adds nothing to that.
  const isLeaving = infra.metadata.deletionTimestamp !== undefined
  const reading = readAttempt(infra, isLeaving ? undefined : ownerId)
  noteAttempt(key, reading, deps, ctx)
  return {
    key,
    deps,
    cloud,
    machine,
    cluster,
    infraCluster,
    home,
    ownerId,
    infra,
    ...followed(reading, {
      deps,
      cloud,
      infra,
      ref: cluster?.spec.infrastructureRef,
      home,
      machine,
      infraCluster,
      ownerId,
    }),
    create: (want, passCtx) => cloud.instances.create(want, passCtx),
    terminate: (which, passCtx) => cloud.instances.terminate(which, passCtx),
  }
}

/** Begins the time of the attempt's token, which goes on even if somebody removes or replaces the annotation. */
function noteAttempt(
  key: string,
  reading: AttemptReading,
  { pendingCreates, tokens }: MachineDeps,
  { clock }: Ctx,
): void {
  if (reading.is === 'none') return
  if (reading.is === 'ours') {
    const { token, left = [] } = reading.attempt
    for (const one of [token, ...left]) tokens.note(one)
  }
  pendingCreates.left(key, reading.is === 'ours' ? reading.attempt.token : '', clock.monotonic())
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('Something that is no Error was thrown', { cause: thrown })
}
