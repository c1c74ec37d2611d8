import type { Ctx } from '../../../api/ctx.ts'
import { timeOf } from '../../../api/conditions.ts'
import { withDeadline, word, type Announcement, type ConditionType, type Say } from '../announcement.ts'
import type { Answer } from '../request.ts'
import { poll } from './poll.ts'
import { BadMetadata, isRecord, jsonOf, type Metadata, type Source } from './source.ts'

/** Azure recommends one call a second: the notice of an eviction is 30 s at best. */
const everyMs = 1_000
/** The first call switches the service on for this machine, which may take two minutes. */
const firstTimeoutMs = 150_000
const timeoutMs = 10_000

/** The newer one has rebalance recommendations. Not every region serves it. */
const versions = { newer: '2024-07-09', older: '2020-07-01' }
const newerAgainMs = 60 * 60_000

interface Meaning {
  readonly type: ConditionType
  readonly sentence: string
}

/**
 * Freeze is not here: the machine pauses for seconds and keeps its memory. Terminate is not either: it follows every
 * deletion by a user or by the manager.
 */
const meanings: ReadonlyMap<unknown, Meaning> = new Map([
  ['Preempt', { type: 'Terminating', sentence: 'Azure takes this machine back' }],
  [
    'SpotRebalanceRecommendation',
    { type: 'RebalanceRecommended', sentence: 'Azure recommends to replace this machine' },
  ],
  ['Reboot', { type: 'MaintenanceScheduled', sentence: 'Azure restarts this machine' }],
  ['Redeploy', { type: 'MaintenanceScheduled', sentence: 'Azure moves this machine to another host' }],
])

const types = [...new Set([...meanings.values()].map(({ type }) => type))]

/** `name`: as scheduled events call this machine. It is told the events of its whole group. */
export function azureSource(metadata: Metadata, name: string): Source {
  const service = new ScheduledEvents(metadata)
  return async (say, ctx) => {
    const once = async (within: Ctx) => sayEvents(await service.read(within), name, say)
    await poll(once, { what: 'scheduled events', everyMs }, ctx)
  }
}

/** The name of a machine, or of one in a scale set. Undefined if it is not a machine of Azure. */
export function azureName(providerID: string): string | undefined {
  const path = /\/(?:virtualMachineScaleSets\/(?<set>[^/]+)\/)?virtualMachines\/(?<name>[^/]+)$/i
  const { set, name } = path.exec(providerID)?.groups ?? {}
  return set === undefined ? name : `${set}_${name}`
}

class ScheduledEvents {
  readonly #metadata: Metadata
  #hasAnswered = false
  #olderUntil = -Infinity

  constructor(metadata: Metadata) {
    this.#metadata = metadata
  }

  async read(ctx: Ctx): Promise<string> {
    const now = ctx.clock.monotonic()
    const isNewer = now >= this.#olderUntil
    let answer = await this.#ask(isNewer ? versions.newer : versions.older, ctx)
    if (isNewer && (answer.status === 400 || answer.status === 404)) {
      answer = await this.#ask(versions.older, ctx)
      if (answer.status === 200) this.#olderUntil = now + newerAgainMs
    }
    if (answer.status !== 200) throw new BadMetadata(`The scheduled events were answered with ${answer.status}.`)
    this.#hasAnswered = true
    return answer.body
  }

  #ask(version: string, ctx: Ctx): Promise<Answer> {
    const { endpoint, request } = this.#metadata
    const url = `${endpoint}/metadata/scheduledevents?api-version=${version}`
    return request(
      { url, headers: { Metadata: 'true' }, timeoutMs: this.#hasAnswered ? timeoutMs : firstTimeoutMs },
      ctx,
    )
  }
}

interface Found extends Announcement {
  readonly notBefore: number
}

function sayEvents(body: string, name: string, say: Say): void {
  const document = jsonOf(body, 'The list of scheduled events')
  const events = isRecord(document) ? document['Events'] : undefined
  if (!Array.isArray(events)) throw new BadMetadata('The scheduled events are not a list.')
  const first = new Map<ConditionType, Found>()
  for (const event of events) {
    if (!isRecord(event) || !concerns(event, name)) continue
    const meaning = meanings.get(event['EventType'])
    if (!meaning) continue
    const found = announced(event, meaning.sentence)
    const before = first.get(meaning.type)
    if (!before || found.notBefore < before.notBefore) first.set(meaning.type, found)
  }
  for (const type of types) {
    const found = first.get(type)
    say(type, found && { reason: found.reason, message: found.message })
  }
}

function concerns({ Resources }: Readonly<Record<string, unknown>>, name: string): boolean {
  const own = name.toLowerCase()
  return Array.isArray(Resources) && Resources.some((one) => typeof one === 'string' && one.toLowerCase() === own)
}

/** An event that has begun has no time any more. */
function announced({ EventType, NotBefore }: Readonly<Record<string, unknown>>, sentence: string): Found {
  const deadline = typeof NotBefore === 'string' ? timeOf(NotBefore) : undefined
  return { reason: word(EventType), message: withDeadline(sentence, deadline), notBefore: deadline ?? 0 }
}
