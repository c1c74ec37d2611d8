import type { Interruption } from '../../interruption.ts'
import { timeOf } from '../../conditions.ts'
import { core } from '../../labels.ts'
import type { Machine, Pod } from '../../machine.ts'
import { isHooked } from './interrupted-machine.ts'

/** The deadline, if Pods that are still there then get a last call. */
export function lastCallDeadline(machine: Machine, decided: Interruption | undefined): number | undefined {
  const { deletionTimestamp, annotations = {} } = machine.metadata
  if (decided?.heldPods !== 'Delete' || decided.act === 'Tell' || decided.act === 'Cordon') return undefined
  // Nothing is cut short that nobody drains: it waits for its replacement, or a user has excluded it.
  const isDraining = deletionTimestamp !== undefined && !isHooked(machine)
  return isDraining && annotations[core.excludeNodeDraining] === undefined ? timeOf(decided.deadline) : undefined
}

/** The longest wait until Pods are looked at, and the share of the notice that it takes at most. */
const evictionMs = 10_000
const evictionShare = 12

/**
 * When the Pods are looked at first. Core evicts most of them at once, and in a storm the Nodes are tainted first: a
 * workload cluster has one turn at a time for everything that is asked of it.
 */
export function firstLookAt({ metadata }: Machine, deadline: number): number {
  const deletedAt = timeOf(metadata.deletionTimestamp) ?? deadline
  return deletedAt + Math.min(evictionMs, Math.max(0, deadline - deletedAt) / evictionShare)
}

/** The kubelet needs a moment to hear of the deletion, and the cloud may be early. */
const marginMs = 10_000
/** The default of Kubernetes. */
const usualGraceSeconds = 30

export interface LastCall {
  /** The Pods whose grace period is all that is left. */
  readonly due: readonly Pod[]
  /** When the next Pod is due; undefined if none is left. */
  readonly nextAt: number | undefined
}

/**
 * Evictions respect PodDisruptionBudgets, but the end of the instance does not. A Pod that is still there when only its
 * grace period is left is deleted, so that its containers receive SIGTERM and have all of that time.
 */
export function lastCall(pods: readonly Pod[], { deadline, now }: { deadline: number; now: number }): LastCall {
  const held = pods.filter(isHeld).map((pod) => ({ pod, at: deadline - marginMs - graceMs(pod) }))
  const later = held.filter(({ at }) => at > now).map(({ at }) => at)
  return {
    due: held.filter(({ at }) => at <= now).map(({ pod }) => pod),
    nextAt: later.length === 0 ? undefined : Math.min(...later),
  }
}

function graceMs({ spec }: Pod): number {
  return Math.max(0, spec?.terminationGracePeriodSeconds ?? usualGraceSeconds) * 1000
}

/** Drains leave these out too: a DaemonSet or the kubelet makes them again, they have ended, or a user says so. */
function isHeld({ metadata, status }: Pod): boolean {
  const { deletionTimestamp, ownerReferences = [], annotations = {}, labels = {} } = metadata
  const isOfNode = ownerReferences.some(({ kind, controller }) => kind === 'DaemonSet' && controller === true)
  const isMirror = annotations['kubernetes.io/config.mirror'] !== undefined
  const isSkipped = labels[core.drain]?.toLowerCase() === 'skip'
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed'
  return deletionTimestamp === undefined && !isOfNode && !isMirror && !isSkipped && !hasEnded
}
