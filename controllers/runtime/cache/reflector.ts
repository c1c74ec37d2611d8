import type { Ctx } from '../../../api/ctx.ts'
import { ApiError, isGone, isSilence, isUnreachable } from '../client/api-error.ts'
import { backoffMs, type BackoffRange } from '../controller/backoff.ts'
import type { KubeClient, Selection, WatchEvent } from '../client/client.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'
import { pagesOf } from '../client/pages.ts'

export interface Source extends Selection {
  readonly client: Pick<KubeClient, 'list' | 'watch'>
  readonly resource: Resource
  readonly pageSize: number
  readonly random?: () => number
  /** The longest wait while the API server does not answer. Default: 5 s. */
  readonly maxAwayMs?: number | undefined
  /** Called after every complete list. */
  readonly onRelist?: ((reason: RelistReason) => void) | undefined
  /** Called after every failure, before the next try. */
  readonly onFailure?: (() => void) | undefined
}

/**
 * Why everything was listed: at the start, because the version was too old, or because the API server did not answer.
 */
export type RelistReason = 'start' | 'expired' | 'away'

/** Receives the lists and changes. */
export interface Sink {
  /** Begins a list. Its items count when it is committed; a list without `commit` is discarded. */
  relist(): { add(items: KubeObject[]): void; commit(): void }
  /** One change since the list. */
  apply(event: WatchEvent<KubeObject>): void
  /** Whether the watch is open. */
  connected(yes: boolean): void
}

const backoff = { initialMs: 1_600, maxMs: 30_000 }
/**
 * Waits are short while the management cluster's API server does not answer: our few connections cannot overload it,
 * and all our work waits for it.
 */
const maxAwayMs = 5_000
/** A watch that ends sooner counts as a failure. Otherwise a proxy that closes at once would make us spin. */
const shortWatchMs = 1_000
/** Watches end by themselves after five to ten minutes, not all at the same time. */
const watchSeconds = { least: 290, spread: 301 }
const silenceMs = 90_000

/**
 * Keeps a sink equal to the objects of the API server until ctx ends: a list in pages, then a watch from its version.
 * No failure of the API server or the network ends it.
 *
 * - The watch ended normally: it goes on from the last version seen, bookmarks included.
 * - The version or the page token is too old (410): it lists again at once.
 * - Any other failure: it waits 0.8 to 30 s, longer each time, or as long as the server asked. Then it goes on from
 *   there.
 * - The API server did not answer: it lists again, because the server may have come back with an older state. A
 *   connection that broke once may mean nothing. Then it asks for the current version first, and lists again only if
 *   that is older.
 * - Silence: it lists again. A server whose state is older than the version in the watch sends nothing until it has
 *   caught up, and then omits what came before.
 */
export async function reflect(source: Source, sink: Sink, ctx: Ctx): Promise<void> {
  const progress = new Progress(source)
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
      const ms = progress.failed(error)
      await pause(source, { error, ms }, ctx)
    }
  }
}

/** The version that the sink has reached, and the failures in a row. */
class Progress {
  /** The sink has seen everything up to this version. Undefined: it has to be listed. */
  version: string | undefined
  relistReason: RelistReason = 'start'
  #refusals = 0
  #breaks = 0
  #gone = 0
  /** Failures of any kind in a row since a connection broke. A single one is the network's fault, not the server's. */
  #away = 0
  readonly #awayBackoff: BackoffRange
  readonly #jitter: () => number

  constructor({ maxAwayMs: maxMs = maxAwayMs, random = Math.random }: Source) {
    this.#awayBackoff = { ...backoff, maxMs }
    this.#jitter = random
  }

  /** The version from before a connection broke. */
  get unverifiedVersion(): string | undefined {
    return this.#away > 0 ? this.version : undefined
  }

  /** A list or a watch was accepted. */
  reached(version?: string): void {
    this.version = version ?? this.version
    this.#away = 0
  }

  /** An event came on a watch: only that proves that the connection works again. */
  heard(version: string | undefined): void {
    this.reached(version)
    this.#refusals = 0
    this.#breaks = 0
    this.#gone = 0
  }

  /** Returns how long to wait. */
  failed(error: unknown): number {
    const jitter = this.#jitter
    if (isGone(error)) {
      this.loseVersion('expired')
      this.#gone++
      // The first 410 is normal. A server that repeats it right after a list gets a pause.
      return this.#gone === 1 ? 0 : backoffMs({ failures: this.#gone - 1, ...backoff, jitter })
    }
    const away = isUnreachable(error)
    if (away || this.#away > 0) this.#away++
    if (this.#away > 1 || isSilence(error)) this.loseVersion('away')
    const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
    // Counted separately: a server that comes back refuses requests until it is ready, which is no longer an outage.
    const growing = away
      ? { ...this.#awayBackoff, failures: ++this.#breaks }
      : { ...backoff, failures: ++this.#refusals }
    return Math.max(asked, backoffMs({ ...growing, jitter }))
  }

  /** If a list is due already, its first reason stays. */
  loseVersion(reason: RelistReason): void {
    if (this.version !== undefined) this.relistReason = reason
    this.version = undefined
  }
}

/**
 * A server that was restored from an older copy of etcd accepts a watch from a version in its future, and then stays
 * silent.
 */
async function isOlder({ client, resource, namespace }: Source, version: string, ctx: Ctx): Promise<boolean> {
  const now = await client.list(resource, { namespace, limit: 1 }, ctx)
  return BigInt(now.resourceVersion) < BigInt(version)
}

async function listAll({ client, resource, ...source }: Source, sink: Sink, ctx: Ctx): Promise<string> {
  const { namespace, labelSelector, fieldSelector, pageSize } = source
  const list = sink.relist()
  let version = ''
  // The wait for the next page lets other work run: parsing 500 objects takes about 10 ms.
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
  // The stack of an ApiError tells nothing; that of an unexpected error does.
  const why = error instanceof ApiError ? { reason: error.message } : { error }
  if (isGone(error)) ctx.log.info('Listing anew, the version is too old', { resource: what, afterMs: ms })
  else ctx.log.warn('Watching again after a failure', { resource: what, afterMs: ms, ...why })
  // The loop sees the end of ctx.
  if (ms > 0) await ctx.clock.sleep(ms, ctx.signal).catch(() => {})
}
