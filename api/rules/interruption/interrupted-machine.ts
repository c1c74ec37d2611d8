import { timeOf } from '../../conditions.ts'
import type { Interruption } from '../../interruption.ts'
import { coreGroup } from '../../kinds.ts'
import { core } from '../../labels.ts'
import type { Cluster, Machine } from '../../machine.ts'
import { groupOf, type OwnerReference } from '../../meta.ts'
import type { NodeNotice } from '../wanted-node.ts'
import { decidedFor } from './in-words.ts'

export interface InterruptedFacts {
  readonly machine: Machine
  /** Undefined: the annotation is foreign. Then nothing is begun, and only what holds the Machine is let go. */
  readonly interruption: Interruption | undefined
  readonly cluster: Cluster | undefined
  /** The cloud shows the instance as off, or the infra machine is gone. */
  readonly hasEnded: boolean
  /** Its MachineSet is there and is not being deleted. */
  readonly machineSet: { readonly revision: string | undefined } | undefined
  /** There is no such MachineSet, not even one that is being deleted. */
  readonly isSetGone: boolean
  /** As many Machines of its MachineSet are available as that wants without this one. */
  readonly isReplaced: boolean
  /** The source of the notice has taken it back. */
  readonly isWithdrawn: boolean
  readonly now: number
}

/** The one write that brings the Machine nearer to its end, or undefined; and when to look again without an event. */
export interface NextWrite {
  readonly write: MachineWrite | undefined
  readonly lookAgainAt?: number | undefined
}

export type MachineWrite =
  | { readonly do: 'delete' }
  | {
      readonly do: 'patch'
      /** The whole list. */
      readonly ownerReferences?: readonly OwnerReference[] | undefined
      /** Why the hook is taken off, as a sentence. */
      readonly unhook?: string | undefined
      /** The decision is removed: nothing came of the notice. */
      readonly forget?: true
    }

/**
 * A Machine that is to be deleted is brought to: deleting, and controlled by the Cluster instead of its MachineSet,
 * which then makes another one. Every event of the Machine comes here, so a process that ends in between, a `clusterctl
 * move` and a restored etcd are nothing special. No living Machine is without a MachineSet that counts it.
 */
export function interruptedMachine(facts: InterruptedFacts): NextWrite {
  const { machine, interruption, hasEnded } = facts
  if (machine.metadata.deletionTimestamp !== undefined) return whileDeleting(facts)
  if (interruption?.act === 'Delete') {
    // What has ended is remediated, unless no MachineSet would replace it: a move brought it here detached.
    const isLeft = hasEnded && controllingMachineSet(machine) !== undefined
    return { write: isLeft ? undefined : { do: 'delete' } }
  }
  if (isHooked(machine)) return { write: { do: 'patch', unhook: notWaited } }
  return interruption?.act === 'Tell' || interruption?.act === 'Cordon'
    ? whileTold(interruption, facts)
    : { write: undefined }
}

/** An instance that runs for so long after its deadline was not taken back. */
const forgottenAfterMs = 10 * 60_000
/** A Node that gives a notice and takes it back, again and again, leads to one write a minute. */
const keptForMs = 60_000

function whileTold({ at, deadline }: Interruption, { isWithdrawn, hasEnded, now }: InterruptedFacts): NextWrite {
  const forgetAt = isWithdrawn ? later(timeOf(at), keptForMs) : later(timeOf(deadline), forgottenAfterMs)
  if (forgetAt === undefined) return { write: undefined }
  if (now < forgetAt) return { write: undefined, lookAgainAt: forgetAt }
  return { write: isWithdrawn || !hasEnded ? { do: 'patch', forget: true } : undefined }
}

function later(at: number | undefined, ms: number): number | undefined {
  return at === undefined ? undefined : at + ms
}

function whileDeleting(facts: InterruptedFacts): NextWrite {
  const ownerReferences = detached(facts)
  if (!isHooked(facts.machine)) return { write: ownerReferences && { do: 'patch', ownerReferences } }
  const unhook = whyUnhooked(facts)
  return {
    write: ownerReferences || unhook !== undefined ? { do: 'patch', ownerReferences, unhook } : undefined,
    lookAgainAt: unhook === undefined ? drainBy(facts.interruption) : undefined,
  }
}

export function isHooked({ metadata }: Machine): boolean {
  return metadata.annotations?.[core.preDrainHook] !== undefined
}

const notWaited = 'Nothing is waited for.'

/** The latest drain begins when half of the notice is over, and never with less than this left, if it was given. */
const drainLeadMs = 60_000

/** When the drain begins at the latest. Undefined without a deadline. */
export function drainBy(interruption: Interruption | undefined): number | undefined {
  const at = timeOf(interruption?.at)
  const deadline = timeOf(interruption?.deadline)
  if (at === undefined || deadline === undefined) return undefined
  return deadline - Math.min(drainLeadMs, Math.max(0, (deadline - at) / 2))
}

/** Undefined: the hook stays, because the replacement is not there yet. */
function whyUnhooked({ interruption, cluster, hasEnded, machineSet, isReplaced, now }: InterruptedFacts) {
  const by = drainBy(interruption)
  if (interruption?.drain !== 'WhenReplaced') return notWaited
  if (hasEnded) return 'The instance has ended.'
  if (!cluster || cluster.metadata.deletionTimestamp !== undefined) return 'The Cluster is being deleted.'
  if (!machineSet) return 'The MachineSet is gone, so no replacement comes.'
  if (machineSet.revision !== interruption.revision) return 'The MachineDeployment has a newer template.'
  if (isReplaced) return 'The replacement is available.'
  return by !== undefined && now >= by ? 'The deadline is near.' : undefined
}

/**
 * The owner references with the Cluster as controller. MachineSets neither count nor adopt what another controls, and
 * an object has one controller, so core's own writes cannot take it back. Also for a Machine whose MachineSet is gone:
 * core could not delete it. A MachineSet that is being deleted still waits for its Machines. Undefined: nothing is to
 * change.
 */
function detached({ machine, interruption, cluster, isSetGone }: InterruptedFacts): OwnerReference[] | undefined {
  const references = machine.metadata.ownerReferences ?? []
  const controller = references.find(({ controller: isIt }) => isIt === true)
  if (!controller || !isMachineSet(controller)) return undefined
  if (!interruption?.isAhead && !isSetGone) return undefined
  const uid = cluster?.metadata.uid
  if (!cluster || uid === undefined) return undefined
  const others = references.filter((one) => one !== controller && one.uid !== uid)
  const owner = { apiVersion: `${coreGroup}/v1beta2`, kind: 'Cluster', name: cluster.metadata.name, uid }
  return [...others, { ...owner, controller: true }]
}

/** A Machine that only a condition tells of takes further Pods. */
export function nodeNoticeOf(machine: Machine, instance: string): NodeNotice {
  const { metadata } = machine
  const decided = decidedFor(machine, instance)
  const isInterrupted = decided !== undefined && decided.act !== 'Tell'
  const isHeld = metadata.annotations?.[core.preDrainHook] !== undefined
  return { isInterrupted, isDraining: isInterrupted && metadata.deletionTimestamp !== undefined && !isHeld }
}

export function isMachineSet({ kind, apiVersion }: OwnerReference): boolean {
  return kind === 'MachineSet' && groupOf(apiVersion) === coreGroup
}

/** The name of the MachineSet that controls the Machine. */
export function controllingMachineSet({ metadata }: Machine): string | undefined {
  return metadata.ownerReferences?.find((owner) => owner.controller === true && isMachineSet(owner))?.name
}
