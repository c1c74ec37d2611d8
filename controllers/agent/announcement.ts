import { rfc3339, type ConditionUpdate } from '../../api/conditions.ts'

/** The conditions of the Node that are the agent's. The policy in config/agent allows it no others. */
export const conditionTypes = ['Terminating', 'RebalanceRecommended', 'MaintenanceScheduled', 'NodeShutdown'] as const

export type ConditionType = (typeof conditionTypes)[number]

export interface Announcement {
  readonly reason: string
  readonly message: string
}

/** Tells what stands now about one type. Undefined: nothing is announced, or no longer. */
export type Say = (type: ConditionType, announcement: Announcement | undefined) => void

/** The manager reads the deadline at the end of the message: `api/rules/interruption/node-notice.ts`. */
export function withDeadline(sentence: string, deadline: number | undefined): string {
  return deadline === undefined ? sentence : `${sentence}, not before ${rfc3339(deadline)}`
}

export function asCondition(type: ConditionType, announced: Announcement | undefined): ConditionUpdate {
  if (announced) return { type, status: 'True', ...announced }
  return { type, status: 'False', reason: 'NothingAnnounced', message: '' }
}

/** The part of a foreign text that may go into a message. */
export function word(text: unknown): string {
  return typeof text === 'string' ? text.replaceAll(/[^\w.-]/g, '').slice(0, 64) : ''
}
