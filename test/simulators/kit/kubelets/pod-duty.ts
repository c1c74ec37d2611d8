import { parseDuration } from '../duration.ts'
import { badAnnotation, endsAfter, isMirror, type Pod } from './pod.ts'

/** How the containers of a Pod end after their SIGTERM. */
export interface Ending {
  readonly withinMs: number
  /** The grace period ends first, so they get a SIGKILL. */
  readonly killed: boolean
}

/** What the kubelet of a Pod has to do with it now. `remove`: no container runs, so the object goes at once. */
export type Duty = 'none' | 'run' | 'refuse' | 'remove' | Ending

export function dutyOf(pod: Pod): Duty {
  const { phase = 'Pending' } = pod.status ?? {}
  if (pod.metadata.deletionTimestamp === undefined) return startOf(pod, phase)
  // A static Pod runs on whatever happens to its copy. A container of a Pending Pod has never started.
  return isMirror(pod) || phase === 'Pending' || isOver(phase) ? 'remove' : endingOf(pod)
}

function startOf(pod: Pod, phase: string): Duty {
  if (phase !== 'Pending') return 'none'
  if (!Number.isNaN(takenMs(pod))) return 'run'
  return pod.status?.reason === badAnnotation ? 'none' : 'refuse'
}

function isOver(phase: string): boolean {
  return phase === 'Succeeded' || phase === 'Failed'
}

/** The grace period in the object is that of the deletion, which may be shorter than that of the spec. */
function endingOf(pod: Pod): Ending {
  const graceMs = (pod.metadata.deletionGracePeriodSeconds ?? 0) * 1000
  const takes = takenMs(pod)
  return takes <= graceMs ? { withinMs: takes, killed: false } : { withinMs: graceMs, killed: true }
}

/** NaN: the annotation is no duration. */
function takenMs({ metadata }: Pod): number {
  const text = metadata.annotations?.[endsAfter]
  return text === undefined ? Infinity : (parseDuration(text) ?? NaN)
}
