import type { Interruption } from '../../interruption.ts'
import { isAnnounced } from './announced.ts'

/** What an interruption comes to, in the order in which it does so as a rule. */
export const milestones = {
  recorded: 'the decision is written; all others are measured from there',
  deleted: 'the Machine is being deleted',
  replaced: 'its MachineSet has as many available Machines as it wants',
  drained: 'Cluster API has drained the Node and asks for the end of the instance',
  off: 'the instance has ended',
} as const

export type Milestone = keyof typeof milestones

export const everyMilestone = Object.keys(milestones) as readonly Milestone[]

/**
 * The milestones that can follow from a decision. What is only told or cordoned is neither deleted nor replaced because
 * of it: such a Machine may be deleted years later. Its instance ends because of the notice, if that announced the end.
 */
export function milestonesOf(decided: Interruption): ReadonlySet<Milestone> {
  if (decided.act === 'Delete' || decided.act === 'Remediate') return new Set(everyMilestone)
  return new Set<Milestone>(isAnnounced(decided) ? ['recorded', 'off'] : ['recorded'])
}

/** What stands of a Machine with a decision. */
export interface Progress {
  readonly isDeleting: boolean
  /** The infra machine: core deletes it after the drain. */
  readonly isInfraDeleting: boolean
  readonly isInfraGone: boolean
  readonly hasEnded: boolean
}

/** The milestones that its own objects show as passed. The replacement is another object. */
export function reached({ isDeleting, isInfraDeleting, isInfraGone, hasEnded }: Progress): Milestone[] {
  const isOff = isInfraGone || hasEnded
  const behind: Partial<Record<Milestone, boolean>> = {
    deleted: isDeleting,
    drained: isInfraDeleting || isInfraGone,
    off: isOff,
  }
  return everyMilestone.filter((milestone) => behind[milestone] === true)
}
