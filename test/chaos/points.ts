import type { Attempt } from '../../api/attempt.ts'
import { annotations, finalizers, machineLabels, nodeLabels } from '../../api/labels.ts'
import { spotGroup } from '../../api/kinds.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { launchOf } from '../lab/clouds/launch-of.ts'
import type { RecordedRequest } from '../simulators/kit/http/journal.ts'
import { interruptionPoints } from './interruption-points.ts'
import { ofMachine, ofNode, type Point, type WriteBody } from './point.ts'

const ofInfraMachine = new RegExp(`^/apis/${spotGroup}/[^/]+/namespaces/[^/]+/[a-z]+machines/[^/?]+(\\?|$)`)
const ofItsStatus = new RegExp(`^/apis/${spotGroup}/[^/]+/namespaces/[^/]+/[a-z]+machines/[^/]+/status`)

const attemptIn = ({ metadata }: WriteBody) => metadata?.annotations?.[annotations.attempt] ?? undefined
/** Of a machine that was refused before. */
const isNext = (text: string) => {
  const { n = 1, handle, refused } = (JSON.parse(text) ?? {}) as Partial<Attempt>
  return n > 1 && handle === undefined && refused === undefined
}
const reasonIn = ({ status }: WriteBody) => status?.conditions?.find(({ type }) => type === 'Ready')?.reason

/** Every point at which a crash could cost a second instance or leave one behind, in the order of a machine's life. */
export function pointsOf({
  createAction,
  endAction,
  cleanUpAction,
  queue,
  control,
}: Pick<LabCloud, 'createAction' | 'endAction' | 'cleanUpAction' | 'queue'> & {
  readonly control: Pick<LabCloud['control'], 'requests'>
}): Point[] {
  /** With another token than a call before for the same machine. */
  const isSecond = (request: RecordedRequest) => {
    const launch = launchOf(request)
    return control.requests().some((before) => {
      const earlier = before.number < request.number && before.action === createAction ? launchOf(before) : undefined
      return launch !== undefined && earlier?.machine === launch.machine && earlier.token !== launch.token
    })
  }
  return [
    {
      name: 'owner id',
      cause: 'a new cluster',
      at: { write: ({ metadata }) => metadata?.annotations?.[annotations.ownerId] !== undefined },
    },
    {
      name: 'finalizer',
      cause: 'a new machine',
      at: {
        write: ({ metadata }, { path }) =>
          ofInfraMachine.test(path) && (metadata?.finalizers?.includes(finalizers.machine) ?? false),
      },
    },
    {
      name: 'attempt',
      cause: 'a new machine',
      at: { write: (body) => attemptIn(body) !== undefined && !attemptIn(body)?.includes('"handle"') },
    },
    { name: 'create', cause: 'a new machine', at: { call: createAction } },
    {
      name: 'next attempt',
      cause: 'a fallback',
      at: { write: (body, { path }) => ofInfraMachine.test(path) && isNext(attemptIn(body) ?? 'null') },
    },
    { name: 'second create', cause: 'a fallback', at: { call: createAction, isMeant: isSecond } },
    {
      name: 'handle',
      cause: 'a new machine',
      at: { write: (body) => attemptIn(body)?.includes('"handle"') ?? false },
    },
    {
      name: 'providerID',
      cause: 'a new machine',
      at: { write: ({ spec }, { path }) => ofInfraMachine.test(path) && spec?.providerID !== undefined },
    },
    {
      name: 'status',
      cause: 'a new machine',
      at: {
        write: ({ status }, { path }) => ofItsStatus.test(path) && status?.initialization?.provisioned === true,
      },
    },
    {
      name: 'label',
      cause: 'a new machine',
      at: {
        write: ({ metadata }, { path }) => ofNode.test(path) && metadata?.labels?.[nodeLabels.pool] !== undefined,
      },
    },
    {
      name: 'condition',
      cause: 'an interruption',
      at: { write: (body, { path }) => ofItsStatus.test(path) && reasonIn(body) === 'Interrupted' },
    },
    {
      name: 'Machine label',
      cause: 'an interruption',
      at: {
        write: ({ metadata }, { path }) =>
          ofMachine.test(path) && typeof metadata?.labels?.[machineLabels.remediationDue] === 'string',
      },
    },
    ...interruptionPoints(queue),
    { name: 'terminate', cause: 'a deletion', at: { call: endAction } },
    ...(cleanUpAction
      ? [
          { name: 'clean-up', cause: 'a refusal', at: { call: cleanUpAction } } as const,
          { name: 'left cleaned', cause: 'a fallback', at: { call: cleanUpAction } } as const,
        ]
      : []),
    {
      name: 'finalizer removal',
      cause: 'a deletion',
      at: {
        write: ({ metadata }, { path }) =>
          ofInfraMachine.test(path) &&
          metadata?.finalizers !== undefined &&
          !metadata.finalizers?.includes(finalizers.machine),
      },
    },
  ]
}
