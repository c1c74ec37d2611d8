import type { Ctx } from '../../../api/ctx.ts'
import { ApiError, isGone, isSilence, isUnreachable } from '../client/api-error.ts'
import { backoffMs } from '../controller/backoff.ts'
import type { KubeClient, Selection, WatchEvent } from '../client/client.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'
import { pagesOf } from '../client/pages.ts'

export interface Source extends Selection {
  readonly client: Pick<KubeClient, 'list' | 'watch'>
  readonly resource: Resource
  readonly pageSize: number
  readonly random?: () => number
  /** Told of every whole list that was read. */
  readonly onRelist?: ((reason: RelistReason) => void) | undefined
  /** Told of every failure, before it is tried again. */
  readonly onFailure?: (() => void) | undefined
}

/** Why everything was listed: at the start, because the version was too old, or because the API server was away. */
export type RelistReason = 'start' | 'expired' | 'away'

/** Who is told what there is. */
export interface Sink {
  /** A list begins. Nothing of it counts before `commit`; without one it is forgotten. */
  relist(): { add(items: KubeObject[]): void; commit(): void }
  /** One change since the list. */
  apply(event: WatchEvent<KubeObject>): void
  /** Whether changes reach us at present. */
  connected(yes: boolean): void
}

const backoff = { initialMs: 1_600, maxMs: 30_000 }
/**
 * While the API server is away: short waits, for our few connections cannot overrun it, and all our work waits for it.
 */
const awayBackoff = { ...backoff, maxMs: 5_000 }
/** A watch that ends sooner than that counts as a failure, or a proxy that closes at once would keep us spinning. */
const shortWatchMs = 1_000
/** Watches end by themselves after five to ten minutes, not all at the same time. */
const watchSeconds = { least: 290, spread: 301 }
const silenceMs = 90_000

/**
 * Keeps a sink equal to what the API server holds, until ctx ends: a list in pages, then a watch from its version on.
 * Nothing that the API server or the network does ends it.
 *
 * - The watch ended by itself: goes on from the last version seen, bookmarks included.
 * - The version or the page token is too old (410): lists anew at once.
 * - Everything else: waits 0.8 to 30 s, longer from time to time, or as long as the server asked, and goes on from
 *   there.
 * - The API server was away: lists anew, for it may have come back with an older state. A connection that broke once
 *   may mean no more than that: then its version is asked for first, and only an older one has everything listed.
 * - Silence: lists anew, for a server whose state is older than the version that was asked for says nothing until it
 *   has caught up, and then leaves out what came before.
 */
export async function reflect(source: Source, sink: Sink, ctx: Ctx): Promise<void> {
  const progress = new Progress()
  while (!ctx.signal.aborted) {
    try {
      const unverified = progress.unverifiedVersion
      if (unverified !== undefined && (await isOlder(source, unverified, ctx))) progress.loseVersion('away')
      if (progress.version === undefined) {
        progress.reached(await listAll(source, sink, ctx))
        source.onRelist?.(progress.relistReason)
      }
      await follow(source, sink, progress, ctx)
    } catch (error) {
      if (ctx.signal.aborted) return
      source.onFailure?.()
      const ms = progress.failed(error, source.random ?? Math.random)
      await pause(source, { error, ms }, ctx)
    }
  }
}

/** How far the sink is, and how often in a row something went wrong. */
class Progress {
  /** The version up to which the sink knows everything; undefined when it has to be listed. */
  version: string | undefined
  relistReason: RelistReason = 'start'
  #refusals = 0
  #breaks = 0
  #gone = 0
  /** Failures in a row since a connection broke, of whatever kind. A single one is the network's, not the server's. */
  #away = 0

  /** A version that was good before a connection broke. */
  get unverifiedVersion(): string | undefined {
    return this.#away > 0 ? this.version : undefined
  }

  /** A list or a watch was accepted. */
  reached(version?: string): void {
    this.version = version ?? this.version
    this.#away = 0
  }

  /** Something came on a watch: only that says that all is well again. */
  heard(version: string | undefined): void {
    this.reached(version)
    this.#refusals = 0
    this.#breaks = 0
    this.#gone = 0
  }

  /** How long to wait now. */
  failed(error: unknown, jitter: () => number): number {
    if (isGone(error)) {
      this.loseVersion('expired')
      this.#gone++
      // Once is in the nature of things; a server that says it again right after a list gets its rest.
      return this.#gone === 1 ? 0 : backoffMs({ failures: this.#gone - 1, ...backoff, jitter })
    }
    const away = isUnreachable(error)
    if (away || this.#away > 0) this.#away++
    if (this.#away > 1 || isSilence(error)) this.loseVersion('away')
    const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
    // Counted apart: one that is back refuses a little until it is ready, and that is no part of having been away.
    const growing = away ? { ...awayBackoff, failures: ++this.#breaks } : { ...backoff, failures: ++this.#refusals }
    return Math.max(asked, backoffMs({ ...growing, jitter }))
  }

  /** What is to be listed anyway keeps its first reason. */
  loseVersion(reason: RelistReason): void {
    if (this.version !== undefined) this.relistReason = reason
    this.version = undefined
  }
}

/** A server that was put back to an older copy of etcd accepts a watch from a version to come, and is silent. */
async function isOlder({ client, resource, namespace }: Source, version: string, ctx: Ctx): Promise<boolean> {
  const now = await client.list(resource, { namespace, limit: 1 }, ctx)
  return BigInt(now.resourceVersion) < BigInt(version)
}

async function listAll({ client, resource, ...source }: Source, sink: Sink, ctx: Ctx): Promise<string> {
  const { namespace, labelSelector, fieldSelector, pageSize } = source
  const list = sink.relist()
  let version = ''
  // The wait for the next page gives others their turn: parsing one of 500 objects takes some 10 ms.
  for await (const page of pagesOf(client, resource, { namespace, labelSelector, fieldSelector, pageSize }, ctx)) {
    list.add(page.items)
    version = page.resourceVersion
  }
  list.commit()
  return version
}

async function follow(source: Source, sink: Sink, progress: Progress, ctx: Ctx): Promise<void> {
  const { client, resource, namespace, labelSelector, fieldSelector, random = Math.random } = source
  const started = ctx.clock.monotonic()
  const options = {
    namespace,
    labelSelector,
    fieldSelector,
    resourceVersion: progress.version ?? '',
    timeoutSeconds: watchSeconds.least + Math.floor(random() * watchSeconds.spread),
    silenceMs,
    onOpen: () => {
      sink.connected(true)
      progress.reached()
    },
  }
  try {
    for await (const event of client.watch(resource, options, ctx)) {
      if (event.type !== 'BOOKMARK') sink.apply(event)
      progress.heard(event.object.metadata.resourceVersion)
    }
  } finally {
    sink.connected(false)
  }
  if (!ctx.signal.aborted && ctx.clock.monotonic() - started < shortWatchMs) {
    throw new ApiError({ status: 0, reason: 'ShortWatch', message: 'The watch ended as soon as it had begun.' })
  }
}

async function pause({ resource }: Source, { error, ms }: { error: unknown; ms: number }, ctx: Ctx): Promise<void> {
  const what = resource.group ? `${resource.plural}.${resource.group}` : resource.plural
  // Where an ApiError came from says nothing; of what should not happen it is what one wants to know.
  const why = error instanceof ApiError ? { reason: error.message } : { error }
  if (isGone(error)) ctx.log.info('Listing anew, the version is too old', { resource: what, afterMs: ms })
  else ctx.log.warn('Watching again after a failure', { resource: what, afterMs: ms, ...why })
  // An end in the middle is seen by the loop.
  if (ms > 0) await ctx.clock.sleep(ms, ctx.signal).catch(() => {})
}
