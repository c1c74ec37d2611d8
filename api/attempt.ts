import { isChosen, isRung, mostRungs, type Chosen } from './rules/capacity/chosen.ts'
import { timeOf } from './conditions.ts'
import { annotations } from './labels.ts'
import { parseOnce, type KubeObject } from './meta.ts'
import type { OfferingKey } from './offering.ts'
import { refusalKindOf, type RefusalKind } from './refusal.ts'
import { isTried, mostTried, type Tried } from './rules/capacity/tried.ts'
import { cloudNames, type Scope } from './scope.ts'

/**
 * One try to get an instance, written to the infra machine before the cloud is called. If an answer, a process or the
 * status is lost after that, its token leads to the instance. One token makes at most one instance.
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
   * Frozen too: every repetition asks for the same offering in the same subnet, because a cloud may take another one
   * for a new request. Unknown in a recovered attempt, and in one of an older version: see `chosenOf`.
   */
  readonly choice?: Chosen
  /** The subnet and zone of `choice`. A manager without it would ask elsewhere with the same token. */
  readonly at?: Site
  /** The subnets that earlier attempts found full. */
  readonly exclude?: readonly string[]
  /**
   * The offering of `choice`, for managers that do not know it. In a recovered attempt that of its instance. Tenants
   * may write another text.
   */
  readonly offering?: OfferingKey
  /** The refused attempts before this one. The newest 16, and how many in all. */
  readonly tried?: readonly Tried[]
  readonly triedCount?: number
  /** The time that `after` of a rung counts from. */
  readonly firstRefusedAt?: string
  /** The rungs that can never work for this machine. */
  readonly invalid?: readonly number[]
  /** The tokens of refused attempts of which an interface or a disk remains. */
  readonly left?: readonly string[]
  readonly startedAt: string
  /** The process that uses the token. Another process writes its own name here before it uses the token. */
  readonly holder?: string
  /** The cloud's immutable id, as soon as the cloud has answered. */
  readonly handle?: string
  /** The definite refusal of the cloud. This attempt makes no further call. */
  readonly refused?: KeptRefusal
}

/** The place of a launch: the subnet or its equivalent, and the zone ('' without one). */
export interface Site {
  readonly subnet: string
  readonly zone: string
}

/** A refusal as the attempt stores it. */
export interface KeptRefusal {
  readonly kind: RefusalKind
  readonly code: string
  readonly message: string
  /** When it was heard. So it is one failure, however often it is told, and also after a move. */
  readonly at?: string
  /** No call with this token can create an instance any more, because none was left without an answer. */
  readonly isFinal?: true
  /** Another subnet may fit. The next attempt begins there when nothing is left of this one. */
  readonly goesOn?: true
  /** An interface or a disk remains of it. No list need have shown it yet. */
  readonly leavesParts?: true
}

/** The cloud has given a definite refusal and no other answer: this token never had an instance and never will. */
export function cameToNothing({ refused, handle }: Pick<Attempt, 'refused' | 'handle'>): boolean {
  return refused?.isFinal === true && handle === undefined
}

/**
 * When its refusal was heard; undefined: it has none. An older version kept no time. Then that of the request counts,
 * because with the present one every pass would begin the wait again.
 */
export function refusedAt({ refused, startedAt }: Pick<Attempt, 'refused' | 'startedAt'>): string | undefined {
  return refused && (refused.at ?? startedAt)
}

export type AttemptReading =
  | { is: 'none' }
  | { is: 'ours'; attempt: Attempt }
  /** The annotation is not this machine's attempt: a copy, a template's, or garbage. */
  | { is: 'foreign'; why: string; remedy: string }

const field = annotations.attempt

/** The credentials that a scope may name: the manager's own. */
export const identities: readonly string[] = ['default']

/** More would be too much to clean beside. */
export const mostLeft = 4

/** Far more than a machine with a hundred full subnets needs, and little to parse in every pass. */
const longestAttempt = 16_384

/** The spellings of a cloud for the values in an attempt. Anybody who may write the object may write the annotation. */
export interface AttemptPatterns {
  readonly region: RegExp
  readonly account?: RegExp
  readonly within?: RegExp
  readonly zone: RegExp
  readonly subnet: RegExp
  readonly handle: RegExp
}

/**
 * The advice for people. Until they act nothing is created. Removing the annotation buys no second instance, because
 * the step recover looks for the instance of a lost attempt.
 */
const untilRemoved = 'The manager creates no instance for this machine until the annotation is removed.'

/**
 * Reads the annotation and trusts nothing in it. For a living machine the attempt must carry `owner`. Undefined: the
 * Cluster is not known, or the instance is to be ended; then the owner id of the attempt counts.
 */
export function readAttempt(
  machine: KubeObject & { metadata: { namespace?: string } },
  owner?: string,
): AttemptReading {
  const text = machine.metadata.annotations?.[field]
  if (text === undefined) return { is: 'none' }
  if (text.length > longestAttempt) return unlike(`has ${text.length} characters, too many for a launch attempt.`)
  const attempt = parsed(machine, text)
  if (!attempt) return unlike('is not a valid launch attempt.')
  const self = `${machine.metadata.namespace}/${machine.metadata.name}`
  if (attempt.for !== self) return unlike(`was made for ${attempt.for}.`)
  if (owner !== undefined && attempt.owner !== owner) return ofAnotherOwner(attempt.owner, owner)
  return { is: 'ours', attempt }
}

function unlike(what: string): AttemptReading {
  return { is: 'foreign', why: `Annotation ${field} ${what}`, remedy: untilRemoved }
}

/** Its instance exists: without the annotation another would be bought under the new owner id. */
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

/** The fields that an attempt must have. It may have more: a newer or older version may have written them. */
const shape: Readonly<Record<keyof Attempt, Check>> = {
  for: isText,
  owner: isText,
  n: isCount,
  token: isText,
  scope: isScope,
  at: optional((value) => isObject(value) && isText(value['subnet']) && isString(value['zone'])),
  exclude: optional((value) => Array.isArray(value) && value.every(isText)),
  offering: optional(isText),
  choice: optional(isChosen),
  tried: optional((value) => isListOf(value, mostTried, isTried)),
  triedCount: optional(isCount),
  firstRefusedAt: optional(isTime),
  invalid: optional((value) => isListOf(value, mostRungs, isRung)),
  left: optional((value) => isListOf(value, mostLeft, isToken)),
  startedAt: isText,
  holder: optional(isText),
  handle: optional(isText),
  refused: optional(isRefused),
}

function parse(text: string): Attempt | undefined {
  const value = parseObject(text)
  const whole = value && Object.entries(shape).every(([field, isRight]) => isRight(value[field]))
  if (!whole) return undefined
  const attempt = value as unknown as Attempt
  const { refused, tried } = attempt
  return {
    ...attempt,
    ...(tried ? { tried: tried.map(known) } : {}),
    ...(refused ? { refused: known(refused) } : {}),
  }
}

const parsed = parseOnce(parse)

/** A newer version may have kinds that this one lacks. */
function known<T extends { readonly kind: RefusalKind }>(refusal: T): T {
  return { ...refusal, kind: refusalKindOf(refusal.kind) }
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

function isRefused(value: unknown): boolean {
  if (!isObject(value)) return false
  return ['kind', 'code', 'message'].every((name) => isString(value[name])) && optional(isTime)(value['at'])
}

function isListOf(value: unknown, most: number, isRight: Check): boolean {
  return Array.isArray(value) && value.length <= most && value.every(isRight)
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && timeOf(value) !== undefined
}

/** It becomes a part of names in the cloud. */
function isToken(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z0-9-]{1,64}$/.test(value)
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
