import { timeOf } from './conditions.ts'
import { annotations } from './labels.ts'
import { parseOnce, type KubeObject } from './meta.ts'
import { noticeKinds, noticeSources, type NoticeKind, type NoticeSource } from './notice.ts'

/**
 * What the manager does with a Machine whose instance was announced to end.
 *
 * - Delete: it deletes the Machine, and core drains its Node.
 * - Remediate: the Machine counts as failed. It is replaced as failed Machines are: at once, or young after a pause.
 * - Cordon: its Node takes no further Pods, and a condition says why.
 * - Tell: a condition says it, and nothing else happens.
 */
export const interruptionActs = ['Delete', 'Remediate', 'Cordon', 'Tell'] as const

export type InterruptionAct = (typeof interruptionActs)[number]

/** When core begins to drain the Node. */
export const drainTimes = ['AtOnce', 'WhenReplaced'] as const

export type DrainTime = (typeof drainTimes)[number]

/** What becomes of Pods that nothing has evicted when only their grace period is left. */
export const heldPodsActs = ['Delete', 'Keep'] as const

export type HeldPods = (typeof heldPodsActs)[number]

/**
 * The decision about one notice, as it stands on the Machine. It is made once. A policy that changes later changes
 * nothing, and every process acts in the same way on what it reads here.
 */
export interface Interruption {
  /** `namespace/name` of the Machine: a copied annotation proves nothing. */
  readonly for: string
  /** The cloud's id of the announced instance. A Machine with another instance is not meant. */
  readonly instance: string
  readonly kind: NoticeKind
  readonly source: NoticeSource
  /** When it was decided. */
  readonly at: string
  /** The earliest time at which the instance ends. */
  readonly deadline?: string | undefined
  readonly act: InterruptionAct
  /** Why it is not deleted, as a sentence. */
  readonly because?: string | undefined
  /** The MachineSet that makes the replacement. */
  readonly machineSet?: string | undefined
  /** The revision of that MachineSet's MachineDeployment. */
  readonly revision?: string | undefined
  /** It is to be replaced, and its turn has not come. Until then the manager only tells of it. */
  readonly isWaiting?: boolean | undefined
  /** The replacement is made while the Machine still drains. */
  readonly isAhead?: boolean
  readonly drain?: DrainTime | undefined
  /** Left out: `Keep`. */
  readonly heldPods?: HeldPods | undefined
}

export type InterruptionReading =
  | { readonly is: 'none' }
  | { readonly is: 'ours'; readonly interruption: Interruption }
  /** Not a decision about this Machine: a copy, or garbage. */
  | { readonly is: 'foreign'; readonly why: string }

const field = annotations.interruption

/** Far more than any decision needs. */
const longest = 2_048

/** Reads the annotation and trusts nothing in it: whoever may write Machines may write it. */
export function readInterruption(machine: KubeObject): InterruptionReading {
  const { metadata } = machine
  const text = metadata.annotations?.[field]
  if (text === undefined) return { is: 'none' }
  if (text.length > longest) return { is: 'foreign', why: `Annotation ${field} has more than ${longest} characters.` }
  const interruption = parsed(machine, text)
  if (!interruption) return { is: 'foreign', why: `Annotation ${field} is not a decision of the manager.` }
  const self = `${metadata.namespace}/${metadata.name}`
  if (interruption.for === self) return { is: 'ours', interruption }
  return { is: 'foreign', why: `Annotation ${field} was made for ${interruption.for}.` }
}

export function writeInterruption(interruption: Interruption): Record<string, string> {
  return { [field]: JSON.stringify(interruption) }
}

type Check = (value: unknown) => boolean

const shape: Readonly<Record<keyof Interruption, Check>> = {
  for: isText,
  instance: isText,
  kind: oneOf(noticeKinds),
  source: oneOf(noticeSources),
  at: isTime,
  deadline: optional(isTime),
  act: oneOf(interruptionActs),
  because: optional(isText),
  machineSet: optional(isText),
  revision: optional(isText),
  isWaiting: optional((value) => typeof value === 'boolean'),
  isAhead: optional((value) => typeof value === 'boolean'),
  drain: optional(oneOf(drainTimes)),
  heldPods: optional(oneOf(heldPodsActs)),
}

function parse(text: string): Interruption | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    const fields = value as Record<string, unknown>
    const isWhole = Object.entries(shape).every(([name, isRight]) => isRight(fields[name]))
    return isWhole ? (value as Interruption) : undefined
  } catch {
    return undefined
  }
}

const parsed = parseOnce(parse)

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value.length <= 512
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && timeOf(value) !== undefined
}

function oneOf(values: readonly string[]): Check {
  return (value) => values.some((one) => one === value)
}

function optional(check: Check): Check {
  return (value) => value === undefined || check(value)
}
