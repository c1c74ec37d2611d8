import fc from 'fast-check'
import { annotations, core } from '../../api/labels.ts'
import type { KubeObject } from '../../api/meta.ts'
import { ApiError } from '../../controllers/runtime/client/api-error.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import { tagOf } from '../../providers/shared/ownership.ts'
import { unreachable } from './kube-access.ts'
import { Backup, restoringMs } from './backup.ts'
import type { Happening } from './happening.ts'
import { launchElsewhere } from './by-hand.ts'
import { notices } from './notices/happenings.ts'
import type { CallName, Fate } from './wire.ts'
import { machineKeys, namespaces, type World } from './world.ts'
import { writeNames } from './writes.ts'

const machine = fc.constantFrom(...machineKeys)
const namespace = fc.constantFrom(...namespaces)
const seconds = (most: number) => fc.integer({ min: 1, max: most })

/** Time of all sizes: between two calls, between two lists, and as long as a launch takes. */
const time: fc.Arbitrary<Happening> = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(1, 5, 10, 50, 200, 500) },
    { weight: 4, arbitrary: fc.constantFrom(1_000, 2_000, 3_000, 5_000, 8_000, 15_000) },
    { weight: 1, arbitrary: fc.constantFrom(30_000, 60_000, 120_000) },
  )
  .map((ms) => ({ sentence: ms < 1_000 ? `${ms} ms pass` : `${ms / 1_000} s pass`, befall: () => {}, thenMs: ms }))

export const births = machine.map((key) => ({
  sentence: `Machine ${key} is made`,
  befall: (world: World) => void world.makeMachine(key),
}))

const death = machine.map((key) => ({
  sentence: `Machine ${key} is deleted`,
  befall: (world: World) => world.delete('AWSMachine', key),
}))

function edit(what: string, change: (object: KubeObject, world: World) => KubeObject): fc.Arbitrary<Happening> {
  return machine.map((key) => ({
    sentence: `A user ${what} machine ${key}`,
    befall: (world) => void world.edit('AWSMachine', key, (object) => change(object, world)),
  }))
}

const annotate = (object: KubeObject, change: Record<string, string | undefined>): KubeObject => {
  const all = Object.entries({ ...object.metadata.annotations, ...change })
  const kept = all.filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(kept) } }
}

function attemptOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata.annotations?.[annotations.attempt]
}

function overwrite(what: string, text: (world: World) => string | undefined): fc.Arbitrary<Happening> {
  return edit(what, (object, world) => {
    const attempt = text(world)
    if (attempt !== attemptOf(object)) world.forgiveLossOf(object)
    return annotate(object, { [annotations.attempt]: attempt })
  })
}

const users = fc.oneof(
  edit('labels', (object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { ...object.metadata.labels, touched: 'yes' } },
  })),
  edit('edits the spec of', (object) => ({
    ...object,
    metadata: { ...object.metadata, generation: (object.metadata.generation ?? 0) + 1 },
  })),
  edit('pauses', (object) => annotate(object, { [core.paused]: '' })),
  edit('resumes', (object) => annotate(object, { [core.paused]: undefined })),
  overwrite('removes the attempt of', () => undefined),
  overwrite('garbles the attempt of', () => '{'),
  overwrite('copies the attempt of default/m0 to', (world) => attemptOf(world.machine('default/m0'))),
  namespace.chain((where) =>
    fc.boolean().map((paused) => ({
      sentence: `A user ${paused ? 'pauses' : 'resumes'} Cluster ${where}/c1`,
      befall: (world: World) =>
        void world.edit('Cluster', `${where}/c1`, (object) => ({
          spec: { ...(object as KubeObject & { spec: object }).spec, paused },
        })),
    })),
  ),
  namespace.chain((where) =>
    fc.constantFrom('removes', 'replaces').map((does) => ({
      sentence: `A user ${does} the owner id of Cluster ${where}/c1`,
      befall: (world: World) =>
        void world.edit('Cluster', `${where}/c1`, (object) =>
          annotate(object, { [annotations.ownerId]: does === 'removes' ? undefined : 'ofanother1' }),
        ),
    })),
  ),
  namespace.map((where) => ({
    sentence: `A user deletes namespace ${where}`,
    befall: (world: World) => world.deleteNamespace(where),
  })),
  namespace.map((where) => ({
    sentence: `A user makes Cluster ${where}/c1`,
    befall: (world: World) => world.makeCluster(where),
  })),
)

const cloudError = (kind: RefusalKind, retryAfterMs?: number) =>
  new CloudError(kind, { code: `Model${kind}`, message: `The cloud says ${kind}.`, retryAfterMs })

const internalError = { status: 500, reason: 'InternalError' }

const refusals: readonly RefusalKind[] = ['capacity', 'subnet', 'invalid', 'denied', 'throttled', 'transient', 'quota']
const cloudCalls: readonly CallName[] = ['create', 'find', 'list', 'terminate', 'notices']

function prepared(sentence: string, on: CallName, fate: Fate): Happening {
  return { sentence, befall: (world) => world.wire.prepare(on, fate) }
}

const fates = fc.oneof(
  fc
    .constantFrom(...refusals)
    .map((kind) =>
      prepared(`The next create is refused: ${kind}`, 'create', { is: 'refused', error: cloudError(kind) }),
    ),
  fc
    .constantFrom(...cloudCalls)
    .map((on) =>
      prepared(`The next ${on} is not done: transient`, on, { is: 'refused', error: cloudError('transient') }),
    ),
  fc.constantFrom(...cloudCalls).map((on) =>
    prepared(`The next ${on} is throttled for 20 s`, on, {
      is: 'refused',
      error: cloudError('throttled', 20_000),
    }),
  ),
  fc
    .constantFrom<CallName[]>('create', 'terminate')
    .map((on) =>
      prepared(`The answer to the next ${on} is lost`, on, { is: 'unanswered', error: cloudError('ambiguous') }),
    ),
  fc
    .constantFrom<CallName[]>('create', 'terminate')
    .map((on) => prepared(`The next ${on} never arrives`, on, { is: 'refused', error: cloudError('ambiguous') })),
  fc
    .tuple(fc.constantFrom<CallName[]>('create', 'list', 'find', 'terminate', 'write'), seconds(20))
    .map(([on, s]) => prepared(`The next ${on} takes ${s} s to arrive`, on, { is: 'slow', ms: s * 1_000 })),
  seconds(20).map((s) =>
    prepared(`The next create arrives after ${s + 10} s, when its caller has given up after 10 s`, 'create', {
      is: 'late',
      ms: (s + 10) * 1_000,
      givenUpAfterMs: 10_000,
      error: cloudError('ambiguous'),
    }),
  ),
  fc.constant(
    prepared('The answer to the next write to the API server is lost', 'write', {
      is: 'unanswered',
      error: unreachable(),
    }),
  ),
  fc.constantFrom('Conflict', 'InternalError').map((reason) =>
    prepared(`The API server refuses the next write: ${reason}`, 'write', {
      is: 'refused',
      error: new ApiError({ status: reason === 'Conflict' ? 409 : 500, reason, message: 'Not now' }),
    }),
  ),
  fc
    .tuple(fc.constantFrom(...writeNames), fc.constantFrom({ status: 429, reason: 'TooManyRequests' }, internalError))
    .map(([of, how]) => ({
      sentence: `The API server does not do the next write of this kind: ${of}, ${how.reason}`,
      befall: (world: World) =>
        world.wire.prepareWrite(of, { is: 'refused', error: new ApiError({ ...how, message: 'Not now' }) }),
    })),
)

const cloud = fc.oneof(
  fc.tuple(fc.nat({ max: 7 }), fc.constantFrom('terminated' as const, 'stopped' as const)).map(([nth, to]) => ({
    sentence: `The cloud takes back instance number ${nth} that is alive: ${to}`,
    befall: (world: World) => {
      const ours = world.cloud.alive().filter(({ isStranger }) => !isStranger)
      const truth = ours[nth % Math.max(1, ours.length)]
      if (truth) world.cloud.preempt(truth, to)
    },
  })),
  fc.integer({ min: 0, max: 90 }).map((s) => ({
    sentence: `From now on new instances are shown after ${s} s`,
    befall: (world: World) => void (world.cloud.manners.hiddenForMs = s * 1_000),
  })),
  fc.tuple(seconds(60), seconds(120)).map(([by, during]) => ({
    sentence: `For ${during} s the cloud shows what was ${by} s ago`,
    befall: (world: World) =>
      void (world.cloud.manners.stale = { byMs: by * 1_000, until: world.clock.now + during * 1_000 }),
  })),
  seconds(120).map((s) => ({
    sentence: `For ${s} s lists are partial`,
    befall: (world: World) => void (world.cloud.manners.partialUntil = world.clock.now + s * 1_000),
  })),
  fc.integer({ min: 1, max: 10 }).map((minutes) => ({
    sentence: `For ${minutes} minutes there is no capacity`,
    befall: (world: World) => world.dry(minutes * 60_000),
  })),
  seconds(60).map((s) => ({
    sentence: `For ${s} s the cloud cannot end anything yet`,
    befall: (world: World) => void (world.cloud.manners.holdsOnUntil = world.clock.now + s * 1_000),
  })),
  fc.tuple(seconds(900), fc.boolean()).map(([s, restarts]) => ({
    sentence: `For ${s} s the credentials are another account's${restarts ? ', and the manager is started again' : ''}`,
    befall: (world: World) => world.swapCredentials(s * 1_000, { restarts }),
  })),
  fc.constant({
    sentence: 'What the cloud accepts next it cannot start',
    befall: (world: World) => void (world.cloud.manners.doomsNext = true),
  }),
  namespace.map((where) => ({
    sentence: `A second management cluster with the same etcd makes an instance for Cluster ${where}/c1`,
    befall: (world: World) => launchElsewhere(world, where),
  })),
  machine.map((key) => ({
    sentence: `Another management cluster has an instance for ${key}`,
    befall: (world: World) =>
      world.cloud.makeStranger(tagOf({ owner: 'stranger', machine: key, token: `theirs-${world.clock.now}` })),
  })),
)

const struck = fc
  .tuple(
    fc.constantFrom<(CallName | 'any')[]>('any', 'any', 'write', 'create', 'terminate'),
    fc.nat({ max: 8 }),
    fc.constantFrom('before' as const, 'after' as const),
    fc.constantFrom('killed' as const, 'killed' as const, 'stopped' as const),
  )
  .map(([on, after, when, is]) => ({
    sentence: `The manager is ${is}${is === 'stopped' ? ' for 40 s' : ''} right ${when} its ${on === 'any' ? 'call' : on} number ${after + 1} from now`,
    befall: (world: World) => world.wire.prepare(on, { is, when }, after),
  }))

const processes = fc.oneof(
  { weight: 4, arbitrary: struck },
  fc.constant({ sentence: 'The manager is killed', befall: (world: World) => world.managers.kill() }),
  fc.constantFrom('the version before' as const, 'this version' as const).map((version) => ({
    sentence: `The manager is killed, and ${version} takes over`,
    befall: (world: World) => world.managers.install(version),
  })),
  seconds(120).map((s) => ({
    sentence: `The manager is stopped for ${s} s`,
    befall: (world: World) => world.managers.stop(s * 1_000),
  })),
  seconds(60).map((s) => ({
    sentence: `For ${s} s a second manager leads too, and the first hears of no change`,
    befall: (world: World) => world.split(s * 1_000),
  })),
  fc.constantFrom(0, 10, 300, 2_000, 20_000).map((ms) => ({
    sentence: `From now on the caches are ${ms} ms late`,
    befall: (world: World) => void (world.managers.lagMs = ms),
  })),
  fc.integer({ min: -10, max: 10 }).map((minutes) => ({
    sentence: `The wall clock jumps by ${minutes} minutes`,
    befall: (world: World) => world.skew(minutes * 60_000),
  })),
  seconds(60).map((s) => ({
    sentence: `The API server is away for ${s} s`,
    befall: (world: World) => world.managers.takeApiserverDown(s * 1_000),
  })),
  fc.constant({ sentence: 'Everything is woken', befall: (world: World) => world.managers.wake() }),
)

const backups = fc.oneof(
  fc.constant({
    sentence: 'A copy of etcd is made',
    befall: (world: World) => void (world.backup = new Backup(world)),
  }),
  fc.boolean().map((restarts) => ({
    sentence: `etcd is put back to the copy, and the manager ${restarts ? 'is started again' : 'goes on'}`,
    befall: (world: World) => world.backup?.putBack({ restarts }),
    thenMs: restoringMs,
  })),
)

/** Weighted so that there is mostly a machine that can fail, and time for it. */
export const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 9, arbitrary: time },
  { weight: 4, arbitrary: births },
  { weight: 3, arbitrary: death },
  { weight: 2, arbitrary: users },
  { weight: 4, arbitrary: fates },
  { weight: 3, arbitrary: cloud },
  { weight: 4, arbitrary: processes },
  { weight: 4, arbitrary: notices },
  { weight: 1, arbitrary: backups },
)
