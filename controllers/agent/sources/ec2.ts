import type { Ctx } from '../../../api/ctx.ts'
import { timeOf } from '../../../api/conditions.ts'
import { withDeadline, word, type Announcement, type ConditionType } from '../announcement.ts'
import type { Answer } from '../request.ts'
import { poll } from './poll.ts'
import { BadMetadata, isRecord, jsonOf, type Metadata, type Source } from './source.ts'

/** Of a notice of 120 s, and as often as the AWS node termination handler does. */
const everyMs = 2_000
const timeoutMs = 2_000
/** The longest time that EC2 accepts. A token is renewed after half of it. */
const tokenSeconds = 21_600

type Read = (body: string) => Announcement | undefined

const items: readonly { readonly path: string; readonly type: ConditionType; readonly read: Read }[] = [
  { path: 'spot/instance-action', type: 'Terminating', read: instanceAction },
  { path: 'events/recommendations/rebalance', type: 'RebalanceRecommended', read: rebalance },
  { path: 'events/maintenance/scheduled', type: 'MaintenanceScheduled', read: maintenance },
]

export function ec2Source(metadata: Metadata): Source {
  const service = new MetadataService(metadata)
  return async (say, ctx) => {
    const reads = items.map(({ path, type, read }) => {
      const once = async (within: Ctx) => {
        const body = await service.get(path, within)
        say(type, body === undefined ? undefined : read(body))
      }
      return poll(once, { what: path, everyMs }, ctx)
    })
    await Promise.all(reads)
  }
}

interface Token {
  readonly text: Promise<string>
  readonly renewAt: number
}

/** Version 2 only: each read has a token. */
class MetadataService {
  readonly #metadata: Metadata
  #token: Token | undefined

  constructor(metadata: Metadata) {
    this.#metadata = metadata
  }

  /** The text of an item. Undefined: EC2 does not have it. */
  async get(path: string, ctx: Ctx): Promise<string | undefined> {
    let answer = await this.#read(path, ctx)
    // A token is refused after its end, and sometimes before. The refusal may be over with a new one.
    if (answer.status === 401) answer = await this.#read(path, ctx)
    const { status, body } = answer
    if (status === 200) return body
    if (status === 404) return undefined
    throw new BadMetadata(`${path} was answered with ${status}.`)
  }

  async #read(path: string, ctx: Ctx): Promise<Answer> {
    const { endpoint, request } = this.#metadata
    const token = this.#currentToken(ctx)
    const headers = { 'X-aws-ec2-metadata-token': await token.text }
    const answer = await request({ url: `${endpoint}/latest/meta-data/${path}`, headers, timeoutMs }, ctx)
    if (answer.status === 401) this.#forget(token)
    return answer
  }

  /** One token serves all items that are read at the same time. */
  #currentToken(ctx: Ctx): Token {
    const now = ctx.clock.monotonic()
    if (this.#token && now < this.#token.renewAt) return this.#token
    const token = { text: this.#newToken(ctx), renewAt: now + (tokenSeconds * 1000) / 2 }
    token.text.catch(() => this.#forget(token))
    this.#token = token
    return token
  }

  /** Another read may have a newer one already. */
  #forget(token: Token): void {
    if (this.#token === token) this.#token = undefined
  }

  async #newToken(ctx: Ctx): Promise<string> {
    const { endpoint, request } = this.#metadata
    const headers = { 'X-aws-ec2-metadata-token-ttl-seconds': String(tokenSeconds) }
    const { status, body } = await request(
      { method: 'PUT', url: `${endpoint}/latest/api/token`, headers, timeoutMs },
      ctx,
    )
    if (status === 200 && /^[\x21-\x7e]{1,1024}$/.test(body)) return body
    throw new BadMetadata(`The request for a token was answered with ${status}.`)
  }
}

function instanceAction(body: string): Announcement {
  const value = jsonOf(body, 'The instance action')
  if (!isRecord(value) || !word(value['action'])) throw new BadMetadata('The instance action names no action.')
  const { action, time } = value
  const message = withDeadline(`EC2 announces for this instance: ${word(action)}`, timeIn(time))
  return { reason: 'SpotInterruption', message }
}

function rebalance(body: string): Announcement {
  const value = jsonOf(body, 'The rebalance recommendation')
  if (!isRecord(value)) throw new BadMetadata('The rebalance recommendation is not an object.')
  return { reason: 'RebalanceRecommendation', message: 'EC2 recommends to replace this instance' }
}

function maintenance(body: string): Announcement | undefined {
  const value = jsonOf(body, 'The list of maintenance')
  if (!Array.isArray(value)) throw new BadMetadata('The list of maintenance is not a list.')
  const events = value.filter(isRecord).filter(({ State }) => State === 'active')
  const [first] = events
    .map((event) => ({ code: word(event['Code']) || 'maintenance', notBefore: timeIn(event['NotBefore']) }))
    .toSorted((a, b) => (a.notBefore ?? 0) - (b.notBefore ?? 0))
  if (!first) return undefined
  return { reason: 'ScheduledEvent', message: withDeadline(`EC2 has scheduled ${first.code}`, first.notBefore) }
}

function timeIn(value: unknown): number | undefined {
  return typeof value === 'string' ? timeOf(value) : undefined
}
