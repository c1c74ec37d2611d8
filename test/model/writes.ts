import { annotations, core, finalizers, machineLabels } from '../../api/labels.ts'
import type { ObjectMeta } from '../../api/meta.ts'

/** The writes of the manager to the API server. Each has its own consequence when it is refused. */
export const writeNames = [
  'owner id',
  'finalizer',
  'finalizer removal',
  'attempt',
  'answer',
  'refusal',
  'adoption',
  'status',
  'Machine label',
  'decision',
  'detach',
  'unhook',
  'backoff',
  'conditions',
  'new object',
  'removal',
] as const
export type WriteName = (typeof writeNames)[number] | 'other'

type Body = { readonly metadata?: Partial<ObjectMeta>; readonly status?: object }

/** The kind of a merge patch: the first that fits. */
const patches: readonly (readonly [name: WriteName, is: (body: Body) => boolean])[] = [
  ['owner id', ({ metadata }) => metadata?.annotations?.[annotations.ownerId] !== undefined],
  ['Machine label', ({ metadata }) => machineLabels.remediationDue in (metadata?.labels ?? {})],
  ['decision', ({ metadata }) => typeof metadata?.annotations?.[annotations.interruption] === 'string'],
  ['detach', ({ metadata }) => metadata?.ownerReferences !== undefined],
  ['unhook', ({ metadata }) => core.preDrainHook in (metadata?.annotations ?? {})],
  ['backoff', ({ metadata }) => metadata?.annotations !== undefined],
  ['finalizer', ({ metadata }) => metadata?.finalizers?.includes(finalizers.machine) ?? false],
  ['finalizer removal', ({ metadata }) => metadata?.finalizers !== undefined],
  ['status', ({ status }) => status !== undefined],
]

export function patchName(body: Body): WriteName {
  const attempt = body.metadata?.annotations?.[annotations.attempt]
  if (typeof attempt === 'string') return attemptName(attempt)
  return patches.find(([, is]) => is(body))?.[0] ?? 'other'
}

function attemptName(text: string): WriteName {
  if (text.includes('"recovered"')) return 'adoption'
  if (text.includes('"refused"')) return 'refusal'
  return text.includes('"handle"') ? 'answer' : 'attempt'
}
