import type { Ctx } from '../api/ctx.ts'
import type { Instance } from '../api/instance.ts'
import type { Notice, NoticeSource } from '../api/notice.ts'
import type { Scope } from '../api/scope.ts'

export type ShownSource = Extract<NoticeSource, 'SpotRequests' | 'Status'>

/**
 * Notices that a cloud shows for as long as they hold, such as the status of EC2's spot requests. A cloud may have
 * several such sources, and each has a pace and failures of its own. The same notice is shown again and again, so
 * there is nothing to acknowledge.
 */
export interface ShownNotices {
  readonly source: ShownSource
  /** The time between two lists. Left out: the poll interval. */
  readonly everyMs?: number
  /** Whether such an instance can have these notices. They are asked for while one of ours is up that can. */
  readonly concerns: (instance: Instance) => boolean
  /**
   * The notices of at least the instances that carry our mark, in pages. Among them may be notices of instances that
   * have ended, or that are not ours. Throws `CloudError`. A failure slows down this source, and nothing else.
   */
  list(scope: Scope, ctx: Ctx): AsyncIterable<ShownPage>
}

export interface ShownPage {
  readonly notices: readonly Notice[]
  /** Notices that are still shown and hold no longer: the cloud has canceled them, or what they announced is done. */
  readonly over?: readonly Notice[]
  /** Instances that fail a check which the cloud makes itself. Left out: the source knows no such checks. */
  readonly impaired?: readonly Impairment[]
}

export interface Impairment {
  readonly instance: string
  /** When the check began to fail, by the clock of the cloud. */
  readonly since: number
}

/** What a source has shown of the instances of ours that are up, by a list without a failure. */
export interface ShownList {
  readonly source: ShownSource
  /** The account and region that were asked. */
  readonly scope: Scope
  /** When the list began, by the wall clock. */
  readonly begunAt: number
  /** The instances of ours that are up there. */
  readonly up: ReadonlySet<string>
  /** Those of them with a notice that holds. */
  readonly noticed: ReadonlySet<string>
  readonly over: readonly Notice[]
}

/**
 * Notices that a queue of the cloud delivers. Each message comes until it is acknowledged, and may come twice or late.
 * Anybody who may send to the queue may write anything, so a message is a claim and no proof.
 */
export interface ReceivedNotices {
  /** The region of its notices; undefined where the name of the queue does not tell. */
  readonly region: string | undefined
  /** Receives until the signal fires. A failure slows down this queue, and nothing else. */
  receive(taker: NoticeTaker, ctx: Ctx): Promise<void>
}

/** A message that was understood. */
export interface Delivery {
  /** The account and region of its instances, as the message says. */
  readonly scope: Scope
  readonly notices: readonly Notice[]
  /** Instances that are said to end or to stop. The list is the proof, so it only has to come sooner. */
  readonly changed: readonly string[]
}

/**
 * Why a message has no effect:
 * - malformed: it cannot be read.
 * - unknown: it is about something else.
 * - absurd: a time in it cannot be true.
 * - foreign: it is of another account than our credentials.
 */
export type Refused = 'malformed' | 'unknown' | 'absurd' | 'foreign'

/** The side of the manager that takes messages. */
export interface NoticeTaker {
  /**
   * Resolves when the message may be acknowledged. A message for which this rejects, or takes too long, is not
   * acknowledged and comes again.
   */
  take(delivery: Delivery, ctx: Ctx): Promise<void>
  /** A message was received, so long after it was sent. One that comes again grows older. */
  aged(seconds: number): void
  /** A message was acknowledged without an effect. */
  refused(result: Refused): void
  /** Whether the queue answers. `why`: a sentence; undefined if it does. */
  answers(why: string | undefined): void
}
