import type { ObjectMeta } from '../../../api/meta.ts'

/** After this long the write will not come any more: etcd was restored from an older copy, say. */
const givenUpAfterMs = 30_000

/**
 * What we wrote and the cache may not have seen yet. A pass over an object older than our own last write would decide
 * on what is no longer so: it waits until the cache has caught up.
 */
export class OwnWrites {
  #written = new Map<string, { version: bigint; at: number }>()
  /** Written without a definite answer: only a fresh read tells what stands there. */
  readonly #unsure = new Set<string>()

  /** Takes the API server's answer to a write of ours; `nowMs` by the monotonic clock. */
  note({ metadata }: { metadata: ObjectMeta }, nowMs: number): void {
    if (metadata.uid === undefined || metadata.resourceVersion === undefined) return
    this.#unsure.delete(metadata.uid)
    if (wasTheLast(metadata)) {
      this.#written.delete(metadata.uid)
      return
    }
    this.#written.set(metadata.uid, { version: BigInt(metadata.resourceVersion), at: nowMs })
  }

  /** A write of ours had no definite answer: it may have been done. */
  markUncertain({ metadata: { uid } }: { metadata: ObjectMeta }): void {
    if (uid !== undefined) this.#unsure.add(uid)
  }

  /**
   * Whether it has to be read afresh, and that read be noted, before anything is decided on it: the write had no
   * answer, or the cache has not shown it for so long that it may stand still.
   */
  isUncertain(object: { metadata: ObjectMeta }, nowMs: number): boolean {
    const { uid } = object.metadata
    if (uid === undefined) return false
    const written = this.#written.get(uid)
    const isOverdue = written !== undefined && nowMs - written.at >= givenUpAfterMs && isOlder(object, written.version)
    return isOverdue || this.#unsure.has(uid)
  }

  /** Whether this object, as it stands in the cache, has our last write in it. */
  isIn(object: { metadata: ObjectMeta }, nowMs: number): boolean {
    const { uid } = object.metadata
    const written = uid === undefined ? undefined : this.#written.get(uid)
    if (uid === undefined || written === undefined) return true
    if (isOlder(object, written.version) && nowMs - written.at < givenUpAfterMs) return false
    // Seen: from here on the cache only moves forward.
    this.#written.delete(uid)
    return true
  }
}

function isOlder({ metadata: { resourceVersion = '0' } }: { metadata: ObjectMeta }, version: bigint): boolean {
  return BigInt(resourceVersion) < version
}

/**
 * It took the last finalizer away: the object is gone, and nobody will ask for it again, or it is back from a backup.
 */
function wasTheLast({ deletionTimestamp, finalizers = [] }: ObjectMeta): boolean {
  return deletionTimestamp !== undefined && finalizers.length === 0
}
