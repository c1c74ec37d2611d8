import { ForeignAnswer } from '../../shared/foreign-answer.ts'
import { isObject, like, listOf, maybe, name, number, shaped, text, type Check } from '../../shared/shape.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'
import type { VpcImage, VpcInstance, VpcNamed, VpcProfile, VpcSubnet } from './documents.ts'

export interface Page<T> {
  readonly items: readonly T[]
  /** Where the next page begins; undefined: there is none. */
  readonly next: string | undefined
}

/** `items` of it stand in `collection`; `next.href` may be a whole address or only the end of one. */
export function pageOf<T>(collection: string, read: (item: unknown) => T): (answer: unknown) => Page<T> {
  return (answer) => {
    const page = objectIn(answer)
    const items = page[collection]
    if (!Array.isArray(items)) throw foreign()
    return { items: items.map(read), next: startIn(page['next']) }
  }
}

function startIn(next: unknown): string | undefined {
  if (next === undefined || next === null) return undefined
  const href = objectIn(next)['href']
  const start = typeof href === 'string' ? new URLSearchParams(href.slice(href.indexOf('?') + 1)).get('start') : null
  // A list whose next page is unknown must not count as complete.
  if (!start) throw foreign()
  return start
}

/** The pattern of the CRDs: ids become parts of paths and bodies of other calls. */
const id = like(/^[-0-9a-z_]{1,100}$/)
const named = shaped({ name })
const identified = shaped({ id })
const amount = shaped({ value: maybe(number), default: maybe(number), min: maybe(number) })
const reasons = maybe(listOf(shaped({ code: text, message: maybe(text) })))

const instanceShape = shaped({
  id,
  name,
  crn: name,
  status: name,
  status_reasons: reasons,
  lifecycle_reasons: reasons,
  availability: maybe(shaped({ class: maybe(text) })),
  profile: named,
  zone: named,
  vpc: maybe(identified),
  resource_group: maybe(identified),
  primary_network_interface: maybe(shaped({ name: maybe(text), primary_ip: maybe(shaped({ address: maybe(text) })) })),
  reservation: maybe(identified),
})

const profileShape = shaped({
  name,
  availability_class: maybe(shaped({ default: maybe(text), values: maybe(listOf(text)), value: maybe(text) })),
  vcpu_count: amount,
  vcpu_percentage: maybe(amount),
  memory: amount,
  gpu_count: maybe(amount),
  gpu_manufacturer: maybe(shaped({ values: maybe(listOf(text)) })),
  vcpu_architecture: shaped({ value: maybe(text) }),
  zones: maybe(listOf(named)),
})

const imageShape = shaped({
  id,
  name,
  status: name,
  visibility: maybe(text),
  created_at: maybe(text),
  operating_system: maybe(shaped({ architecture: maybe(text), family: maybe(text), name: maybe(text) })),
  zones: maybe(listOf(named)),
})

const subnetShape = shaped({ id, zone: named, vpc: identified })

const namedShape = shaped({ id, name })

export function readInstance(answer: unknown): VpcInstance {
  return checked(instanceShape, answer) as VpcInstance
}

export function readProfile(answer: unknown): VpcProfile {
  return checked(profileShape, answer) as VpcProfile
}

export function readImage(answer: unknown): VpcImage {
  return checked(imageShape, answer) as VpcImage
}

export function readSubnet(answer: unknown): VpcSubnet {
  return checked(subnetShape, answer) as VpcSubnet
}

export function readNamed(answer: unknown): VpcNamed {
  return checked(namedShape, answer) as VpcNamed
}

/**
 * Checks a successful answer. A proxy, a login page or another service may have sent it. An answer of another shape is
 * refused: it must count neither as an instance nor as an empty list.
 */
function checked(shape: Check, answer: unknown): unknown {
  if (shape(answer)) return answer
  throw foreign()
}

/** The answer to a delete has no body. */
export function readNothing(): undefined {
  return undefined
}

/**
 * Characters and length that fit into a header: servers refuse a longer one with an answer that does not mention
 * credentials.
 */
const sendable = /^[\x21-\x7e]{1,8000}$/

/** IAM's answer to an API key. */
export function readToken(answer: unknown): Token {
  const { access_token: accessToken, expires_in: life } = objectIn(answer)
  if (typeof accessToken !== 'string' || !sendable.test(accessToken) || typeof life !== 'number') {
    throw foreign()
  }
  return { accessToken, lifeMs: life * 1_000, account: accountIn(accessToken) }
}

export interface Token {
  readonly accessToken: string
  readonly lifeMs: number
  /** Undefined: the token does not tell it. */
  readonly account: string | undefined
}

/** IAM's tokens are JWTs, and the account of the API key is a claim: `{"account": {"bss": "…"}}`. */
function accountIn(token: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const { bss } = objectIn(objectIn(claims)['account'])
    return typeof bss === 'string' && attemptPatterns.account?.test(bss) ? bss : undefined
  } catch {
    return undefined
  }
}

function objectIn(answer: unknown): Readonly<Record<string, unknown>> {
  if (isObject(answer)) return answer
  throw foreign()
}

function foreign(): ForeignAnswer {
  return new ForeignAnswer(
    'The answer does not come from the VPC API of IBM Cloud; check the endpoint and its proxies.',
  )
}
