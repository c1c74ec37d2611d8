import { timeOf } from '../../conditions.ts'
import type { Node, NodeCondition, Taint } from '../../machine.ts'
import type { Notice, NoticeKind, NoticeSource } from '../../notice.ts'

/** A notice, without the instance: a Node does not know its id in the words of its cloud. */
export type NodeNotice = Omit<Notice, 'instance'>

/** listNow: the instance may end. Its cloud has to be asked, because a reboot looks the same. */
export type NodeSays = NodeNotice | 'listNow'

/** Whether a Node announced it, which may take it back. */
export function isOfNode({ source }: Pick<Notice, 'source'>): boolean {
  return source === 'Node' || source === 'Agent'
}

type KindOnNode = Extract<NoticeKind, 'Spot' | 'Maintenance' | 'Rebalance'>

/**
 * Conditions that announce something while their status is True.
 *
 * - Terminating: our agent, and the termination handler of OpenShift.
 * - RebalanceRecommended, MaintenanceScheduled: our agent.
 * - PreemptionScheduled: the node problem detector of AKS.
 * - GCESpotPreempting: the agent of Karpenter for GCP.
 * - SpotInterruption: agents of users.
 */
const kindOfCondition: ReadonlyMap<string, KindOnNode> = new Map([
  ['Terminating', 'Spot'],
  ['SpotInterruption', 'Spot'],
  ['PreemptionScheduled', 'Spot'],
  ['GCESpotPreempting', 'Spot'],
  ['MaintenanceScheduled', 'Maintenance'],
  ['RebalanceRecommended', 'Rebalance'],
])

/**
 * The taints of the AWS node termination handler. Its taint for lifecycle hooks is not here: our instances are in no
 * Auto Scaling group.
 */
const kindOfTaint: ReadonlyMap<string, KindOnNode> = new Map([
  ['aws-node-termination-handler/spot-itn', 'Spot'],
  ['aws-node-termination-handler/scheduled-maintenance', 'Maintenance'],
  ['aws-node-termination-handler/rebalance-recommendation', 'Rebalance'],
])

/** Our agent writes it when its process is told to end. */
const shutdown = 'NodeShutdown'
/** The kubelet writes it into the message of Ready, alone or in a list. */
const shuttingDown = 'node is shutting down'

/** The types of conditions that `noticesOfNode` reads. A cache keeps no others. */
export const noticeConditions: ReadonlySet<string> = new Set([...kindOfCondition.keys(), shutdown, 'Ready'])
/** The keys of taints that `noticesOfNode` reads. */
export const noticeTaints: ReadonlySet<string> = new Set(kindOfTaint.keys())

/** The most severe first. */
const severity: readonly KindOnNode[] = ['Spot', 'Maintenance', 'Rebalance']

const hourMs = 60 * 60_000
/** A notice whose deadline is longer ago did not come true. */
const overAfterMs = hourMs
/** No cloud takes an instance back with more notice than this. EC2 announces maintenance weeks ahead. */
const mostAheadMs: Readonly<Record<KindOnNode, number>> = {
  Spot: 24 * hourMs,
  Rebalance: 24 * hourMs,
  Maintenance: 60 * 24 * hourMs,
}

/** What a Node announces about its instance. */
export interface NodeAnnounces {
  /** The most severe notice, with the earliest deadline. Undefined: the Node announces nothing. */
  readonly says: NodeSays | undefined
  /** The notices that have no effect, because their deadline cannot be true. */
  readonly absurd: readonly NodeNotice[]
}

export function noticesOfNode(node: Node, now: number): NodeAnnounces {
  const all = announcedBy(node, now)
  const [worst] = all.filter((notice) => isPlausible(notice, now)).sort(bySeverity)
  const listNow = node.status?.conditions?.some(mayEnd) ? 'listNow' : undefined
  return { says: worst ?? listNow, absurd: all.filter((notice) => !isPlausible(notice, now)) }
}

function announcedBy({ spec, status }: Node, now: number): Announced[] {
  return [
    ...(status?.conditions ?? []).map((condition) => noticeOfCondition(condition, now)),
    ...(spec?.taints ?? []).map((taint) => noticeOfTaint(taint, now)),
  ].filter((notice) => notice !== undefined)
}

type Announced = NodeNotice & { readonly kind: KindOnNode }

function noticeOfCondition(condition: NodeCondition, now: number): Announced | undefined {
  const { type, status, message = '', lastTransitionTime } = condition
  const kind = type === 'PreemptionScheduled' ? preemption(message) : kindOfCondition.get(type)
  if (!kind || status !== 'True') return undefined
  const deadline = deadlineIn(message)
  const at = since(lastTransitionTime, now)
  return { kind, at, ...(deadline === undefined ? {} : { deadline }), source: sourceOf(condition) }
}

function noticeOfTaint({ key, timeAdded }: Taint, now: number): Announced | undefined {
  const kind = kindOfTaint.get(key)
  return kind && { kind, at: since(timeAdded, now), source: 'Node' }
}

/** No notice comes from the future. */
function since(time: string | undefined, now: number): number {
  return Math.min(timeOf(time) ?? now, now)
}

/** AKS has one condition for both, and only its message tells them apart. */
function preemption(message: string): KindOnNode {
  return /^\s*SpotRebalanceRecommendation\b/.test(message) ? 'Rebalance' : 'Spot'
}

function sourceOf({ type, reason }: NodeCondition): NoticeSource {
  if (type === 'Terminating') return reason === 'TerminationRequested' ? 'Node' : 'Agent'
  return type === 'MaintenanceScheduled' || type === 'RebalanceRecommended' ? 'Agent' : 'Node'
}

const rfc3339AtTheEnd = /(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))\.?\s*$/
/** AKS repeats the time of Azure's scheduled event in the middle of its message. */
const azureTime =
  /^\s*Preempt Scheduled:\s*(?<time>[A-Z][a-z]{2},\s+\d{1,2}\s+[A-Z][a-z]{2}\s+\d{4}\s+\d\d:\d\d:\d\d\s+(?:GMT|UTC))\b/

function deadlineIn(message: string): number | undefined {
  const found = rfc3339AtTheEnd.exec(message) ?? azureTime.exec(message)
  return timeOf(found?.groups?.['time'])
}

function isPlausible({ kind, deadline }: Announced, now: number): boolean {
  return deadline === undefined || (deadline >= now - overAfterMs && deadline <= now + mostAheadMs[kind])
}

function bySeverity(a: Announced, b: Announced): number {
  const latest = Number.MAX_SAFE_INTEGER
  return severity.indexOf(a.kind) - severity.indexOf(b.kind) || (a.deadline ?? latest) - (b.deadline ?? latest)
}

function mayEnd({ type, status, message = '' }: NodeCondition): boolean {
  if (type === shutdown) return status === 'True'
  return type === 'Ready' && status !== 'True' && message.includes(shuttingDown)
}
