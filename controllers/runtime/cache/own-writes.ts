import type { ObjectMeta } from '../../../api/meta.ts'

/**
 * After this time the cache will not show the write any more, for example because etcd was restored from an older copy.
 */
const givenUpAfterMs = 30_000

/**
 * Remembers our writes until the cache shows them. A pass must not decide on an object that is older than our last
 * write to it, so it waits until the cache has caught up.
 */
export class OwnWrites {
  #written = new Map<string, { version: bigint; at: number }>()
  /** By uid: a write had no definite answer. Only a fresh read shows whether it was done. */
  readonly #unsure = new Set<string>()

  /** Notes the object that the API server returned for our write. `nowMs` is by the monotonic clock. */
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
   * Whether the object has to be read from the API server, and that read noted, before a decision. True after a write
   * without an answer, and when the cache has not shown our write for so long that it may stand still.
   */
  isUncertain(object: { metadata: ObjectMeta }, nowMs: number): boolean {
    const { uid } = object.metadata
    if (uid === undefined) return false
    const written = this.#written.get(uid)
    const isOverdue = written !== undefined && nowMs - written.at >= givenUpAfterMs && isOlder(object, written.version)
    return isOverdue || this.#unsure.has(uid)
  }

  /** Whether this object from the cache contains our last write. */
  isIn(object: { metadata: ObjectMeta }, nowMs: number): boolean {
    const { uid } = object.metadata
    const written = uid === undefined ? undefined : this.#written.get(uid)
    if (uid === undefined || written === undefined) return true
    if (isOlder(object, written.version) && nowMs - written.at < givenUpAfterMs) return false
    // Seen. From here on the cache only moves forward.
    this.#written.delete(uid)
    return true
  }
}

function isOlder({ metadata: { resourceVersion = '0' } }: { metadata: ObjectMeta }, version: bigint): boolean {
  return BigInt(resourceVersion) < version
}

/**
 * The write removed the last finalizer. Either the object is gone and nothing asks for it again, or it came back from a
 * backup.
 */
function wasTheLast({ deletionTimestamp, finalizers = [] }: ObjectMeta): boolean {
  return deletionTimestamp !== undefined && finalizers.length === 0
}
