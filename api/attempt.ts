import { annotations } from './labels.ts'
import type { KubeObject } from './meta.ts'
import type { OfferingKey } from './offering.ts'
import { refusalKindOf, type RefusalKind } from './refusal.ts'
import { cloudNames, type Scope } from './scope.ts'

/**
 * One try to get an instance, written to the infra machine before the cloud is asked. Whatever is lost after that
 * (an answer, a process, our status), the token in it leads to the one instance that can have come of it.
 */
export interface Attempt {
  /** `namespace/name` of the machine that it was made for: a copied annotation proves nothing. */
  readonly for: string
  readonly owner: string
  /** 1, 2, … : a new number only after a definite refusal of the one before. */
  readonly n: number
  readonly token: string
  /** Frozen, so that a delete finds the instance when Cluster and infrastructure cluster are gone. */
  readonly scope: Scope
  /**
   * Frozen too: whoever asks again asks there, or a cloud could take it for another request. Unknown of a recovered
   * one.
   */
  readonly at?: Site
  /** Places (subnets) that attempts before this one found full. */
  readonly exclude?: readonly string[]
  /** What was asked for: a machine that was refused has no instance to tell. Tenants may write another text. */
  readonly offering?: OfferingKey
  readonly startedAt: string
  /** The process that asks with it. Another writes itself here before it asks. */
  readonly holder?: string
  /** The cloud's own immutable id, as soon as it answered. */
  readonly handle?: string
  /** The cloud's definite no. Nothing more is asked in this attempt. */
  readonly refused?: KeptRefusal
}

/** Where an instance is asked for: the subnet or what stands for one, and the zone, '' where there is none. */
export interface Site {
  readonly subnet: string
  readonly zone: string
}

/** A refusal as the attempt keeps it. */
export interface KeptRefusal {
  readonly kind: RefusalKind
  readonly code: string
  readonly message: string
  /** Nothing can come any more of a call with this token: none of those before was left without an answer. */
  readonly isFinal?: true
}

/** The cloud has refused it for good, and before that said nothing else: no instance is, was or will be of it. */
export function cameToNothing({ refused, handle }: Pick<Attempt, 'refused' | 'handle'>): boolean {
  return refused?.isFinal === true && handle === undefined
}

export type AttemptReading =
  | { is: 'none' }
  | { is: 'ours'; attempt: Attempt }
  /** Something stands there that is not this machine's attempt: a copy, a template's, or garbage. */
  | { is: 'foreign'; why: string; remedy: string }

const field = annotations.attempt

/** Which credentials a scope may name: the manager's own. */
export const identities: readonly string[] = ['default']

/** Far beyond what a machine with a hundred full subnets needs, and little to parse in every pass. */
const longestAttempt = 16_384

/** How a cloud writes what an attempt names. The annotation is written by whoever may write the object. */
export interface AttemptPatterns {
  readonly region: RegExp
  readonly account?: RegExp
  readonly within?: RegExp
  readonly zone: RegExp
  readonly subnet: RegExp
  readonly handle: RegExp
}

/**
 * What a person can do about it. Until then nothing is created; whoever removes the annotation buys no second instance,
 * for what came of a lost attempt is looked for.
 */
const untilRemoved = 'The manager creates no instance for this machine until the annotation is removed.'

/**
 * What the annotation of this machine says, trusting nothing in it. `owner`: the id that it has to carry to count for a
 * living machine. Undefined: the Cluster is not known, or the instance is to be ended; then its own counts.
 */
export function readAttempt(
  machine: KubeObject & { metadata: { namespace?: string } },
  owner?: string,
): AttemptReading {
  const text = machine.metadata.annotations?.[field]
  if (text === undefined) return { is: 'none' }
  if (text.length > longestAttempt) return unlike(`has ${text.length} characters, too many for a launch attempt.`)
  const attempt = parse(text)
  if (!attempt) return unlike('is not a valid launch attempt.')
  const self = `${machine.metadata.namespace}/${machine.metadata.name}`
  if (attempt.for !== self) return unlike(`was made for ${attempt.for}.`)
  if (owner !== undefined && attempt.owner !== owner) return ofAnotherOwner(attempt.owner, owner)
  return { is: 'ours', attempt }
}

function unlike(what: string): AttemptReading {
  return { is: 'foreign', why: `Annotation ${field} ${what}`, remedy: untilRemoved }
}

/** Its instance is there: without the annotation another would be bought under the new id. */
function ofAnotherOwner(before: string, now: string): AttemptReading {
  return {
    is: 'foreign',
    why: `The instance of this machine carries the owner id ${before}, but the Cluster now has ${now}.`,
    remedy: `Set annotation ${annotations.ownerId} of the Cluster back to ${before}, or delete the Machine, which terminates its instance.`,
  }
}

export function writeAttempt(attempt: Attempt): Record<string, string> {
  return { [field]: JSON.stringify(attempt) }
}

type Check = (value: unknown) => boolean

/**
 * What makes an attempt whole. Other fields may stand in it: a newer version, or an older one, may have written them.
 */
const shape: Readonly<Record<keyof Attempt, Check>> = {
  for: isText,
  owner: isText,
  n: isCount,
  token: isText,
  scope: isScope,
  at: optional((value) => isObject(value) && isText(value['subnet']) && isString(value['zone'])),
  exclude: optional((value) => Array.isArray(value) && value.every(isText)),
  offering: optional(isText),
  startedAt: isText,
  holder: optional(isText),
  handle: optional(isText),
  refused: optional((value) => isObject(value) && ['kind', 'code', 'message'].every((name) => isString(value[name]))),
}

function parse(text: string): Attempt | undefined {
  const value = parseObject(text)
  const whole = value && Object.entries(shape).every(([field, isRight]) => isRight(value[field]))
  if (!whole) return undefined
  const attempt = value as unknown as Attempt
  const { refused } = attempt
  return refused ? { ...attempt, refused: { ...refused, kind: refusalKindOf(refused.kind) } } : attempt
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isScope(value: unknown): boolean {
  if (!isObject(value)) return false
  const { account, within } = value
  const isWhole =
    cloudNames.some((name) => name === value['cloud']) && ['identity', 'region'].every((name) => isText(value[name]))
  return isWhole && identities.includes(value['identity'] as string) && [account, within].every(optional(isText))
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 1024
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}

function optional(check: Check): Check {
  return (value) => value === undefined || check(value)
}
