import { randomBytes } from 'node:crypto'
import type { Ctx } from '../../../api/ctx.ts'
import type { KubeClient } from '../client/client.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'

export interface RecorderOptions {
  readonly client: Pick<KubeClient, 'create'>
  /** The name of the controller. */
  readonly component: string
  /** The reason why events wait now. Undefined: they are sent. */
  readonly held?: (() => string | undefined) | undefined
  /** The namespace of events for objects without one. The API server accepts 'default' and 'kube-system'. */
  readonly namespace?: string
}

export interface EventInput {
  readonly object: KubeObject & { readonly apiVersion: string; readonly kind: string }
  readonly type: 'Normal' | 'Warning'
  /** UpperCamel, from the table in api/reasons.ts. */
  readonly reason: string
  /** A sentence for people; cut at 1024 characters. */
  readonly message: string
}

export interface Recorder {
  /** Sends the event without waiting. An event that does not arrive is a line in the debug log and nothing more. */
  event(input: EventInput, ctx: Ctx): void
  /** Resolves when all sent events have arrived or failed. */
  settled(): Promise<void>
}

export const events: Resource = { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true }
const maxMessageChars = 1024
const repeatAfterMs = 10 * 60_000
const maxRemembered = 4096
/** They must not take the connections that other requests need. The rest waits. */
const maxUnderWay = 4
/** Further events are dropped: they must not pile up while the API server is slow. */
const maxWaiting = 2_000
const lookEveryMs = 250

export function createRecorder({ client, component, held, namespace = 'default' }: RecorderOptions): Recorder {
  const recent = new Recent()
  const waiting: (() => Promise<void>)[] = []
  const senders = new Set<Promise<void>>()
  const sendAll = async ({ clock, signal }: Ctx) => {
    for (let send = waiting.shift(); send; send = waiting.shift()) {
      // At the end of ctx each fails at once.
      for (let why = held?.(); why !== undefined && !signal.aborted; why = held?.()) {
        await clock.sleep(lookEveryMs, signal).catch(() => {})
      }
      await send()
    }
  }

  return {
    event(input, ctx) {
      const { metadata } = input.object
      const said = JSON.stringify([metadata.uid ?? metadata.name, metadata.namespace, input.reason, input.message])
      if (waiting.length >= maxWaiting || !recent.isNew(said, ctx.clock.monotonic())) return
      const event = eventOf(input, { component, namespace, now: ctx.clock.now() })
      waiting.push(async () => {
        try {
          await client.create(events, event, ctx)
        } catch (error) {
          recent.forget(said)
          ctx.log.debug('Going on without an event that was not accepted', { reason: input.reason, error })
        }
      })
      if (senders.size >= maxUnderWay) return
      const sender = sendAll(ctx).finally(() => senders.delete(sender))
      senders.add(sender)
    },
    async settled() {
      await Promise.all(senders)
    },
  }
}

/** The events of the last ten minutes. When there are too many, the oldest go first. */
class Recent {
  readonly #saidAt = new Map<string, number>()

  isNew(said: string, now: number): boolean {
    const at = this.#saidAt.get(said)
    if (at !== undefined && now - at < repeatAfterMs) return false
    this.#saidAt.delete(said)
    this.#saidAt.set(said, now)
    for (const [oldest, when] of this.#saidAt) {
      if (this.#saidAt.size <= maxRemembered && now - when < repeatAfterMs) break
      this.#saidAt.delete(oldest)
    }
    return true
  }

  forget(said: string): void {
    this.#saidAt.delete(said)
  }
}

/** The parts of an event that do not depend on its text. */
interface Frame {
  readonly component: string
  readonly namespace: string
  readonly now: number
}

/** An event in the format of the API server. kubectl shows it with the object. */
export function eventOf({ object, type, reason, message }: EventInput, { component, namespace, now }: Frame) {
  const { name, namespace: objectNamespace, uid, resourceVersion } = object.metadata
  const time = `${new Date(now).toISOString().slice(0, 19)}Z`
  return {
    metadata: {
      // No part of a name may end with - or .
      name: `${name.slice(0, 220).replace(/[-.]+$/, '')}.${randomBytes(8).toString('hex')}`,
      namespace: objectNamespace ?? namespace,
    },
    involvedObject: {
      apiVersion: object.apiVersion,
      kind: object.kind,
      name,
      ...(objectNamespace === undefined ? {} : { namespace: objectNamespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    type,
    reason,
    message: cut(message),
    source: { component },
    reportingComponent: component,
    reportingInstance: component,
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  }
}

function cut(message: string): string {
  return message.length <= maxMessageChars ? message : `${message.slice(0, maxMessageChars - 1).toWellFormed()}…`
}
