import type { CloudError } from '../api/cloud-error.ts'
import type { Ctx } from '../api/ctx.ts'
import type { Instance } from '../api/instance.ts'
import type { OwnershipTag, Ownership } from '../api/ownership.ts'
import type { Scope } from '../api/scope.ts'

/**
 * The cloud interface: all that a cloud has to do for us. Nothing here starts, restarts or replaces an instance. None
 * of the four blocks until the cloud is done. Any process may repeat a call at any time, and the second call does no
 * more than the first. Every failure is a `CloudError`. Every call ends when `ctx.signal` does.
 */
export interface Instances {
  /**
   * Asks for one instance. Idempotent on `want.token`: any number of calls from any process make at most one instance
   * with one token, as long as all are planned for the same subnet (`Wanted.at`). A call that finds the instance
   * answers with it, in any state. It does not wait until the cloud has started it: the list shows a later refusal, as
   * `Instance.failure`. After a definite refusal nothing of this token is left in the cloud; where that is not sure,
   * the error is 'ambiguous'. An answer without the tag of this launch is a 'conflict': then the result of the call is
   * unknown.
   */
  create(want: Launch, ctx: Ctx): Promise<Instance>
  /**
   * A direct look at one instance, past every cache of ours. 'absent': the cloud says that there is none; 'unknown': it
   * cannot tell now, because a part of it does not answer. Throws 'AbsenceUnproven' where `which.subnet` is not seen
   * either.
   */
  find(which: InstanceRef, ctx: Ctx): Promise<Instance | 'absent' | 'unknown'>
  /**
   * Everything of ours in a scope, page by page, in any state that the cloud still shows. `complete` is true on the
   * last page of a list in which nothing was left out; only a complete list may prove that something is gone. Where no
   * more than some zones were left out, the last page names them: elsewhere that list is as good as a complete one. A
   * page that was refused, or whose answer was lost, is requested again (`retryPage`): a list is many calls, and
   * without one of them there is none.
   */
  list(scope: Scope, ctx: Ctx): AsyncIterable<InstancePage>
  /**
   * Ends the instance with all that belongs to it (disks, network interfaces, addresses); ask again until 'gone'.
   * Refuses an instance without `which.tag`, with kind 'conflict'.
   */
  terminate(which: InstanceRef, ctx: Ctx): Promise<TerminateResult>
}

/** The part of the cloud interface that changes nothing. */
export type InstanceReads = Pick<Instances, 'find' | 'list'>

/**
 * 'going': the cloud has begun to end the instance, so from now on its absence proves its end. 'later': the cloud has
 * begun nothing; it ends the instance only in another state, or after something else.
 */
export type TerminateResult = 'gone' | 'going' | 'later'

export interface InstancePage {
  items: Instance[]
  complete: boolean
  /**
   * On the last page: the account of the list. Left out if it is not known. Such a list does not prove that an instance
   * is gone.
   */
  account?: string | undefined
  /** On the last page of a list that is not complete: the zones of which it does not speak. It does of all others. */
  unreachableZones?: readonly string[]
}

export interface Launch extends Ownership {
  readonly scope: Scope
  /** Made by the adapter's own `plan`, from the specs and the lookups for them. */
  readonly request: LaunchRequest
  /** The bootstrap data as it stands in the Secret. Must not reach a log, an error or a status. */
  readonly userData: Uint8Array
  /** The Cluster's name, for tags that people and the cloud's other tools read. */
  readonly clusterName: string
  /** Asked right before each write of a create, because its turn may come late. An error: nothing is sent. */
  readonly refuseIf?: RefuseIf
}

export type RefuseIf = () => CloudError | undefined

/** Opaque to the loop: a plain JSON object, so that it can be hashed. */
export type LaunchRequest = Readonly<Record<string, unknown>>

/** All that we know of an instance that may exist. It is enough to find the instance without its id. */
export interface InstanceRef {
  readonly scope: Scope
  readonly tag: OwnershipTag
  /** The name in the cloud (`Cloud.nameOf`), where instances are found by their names. */
  readonly name?: string
  /** The cloud's own immutable id, once known. */
  readonly id?: string
  /** The zone that it is in, or was asked for. */
  readonly zone?: string
  /**
   * The subnet of its launch. On EC2 and IBM, endpoint and account decide which instances are shown. There it counts as
   * absent only while the same credentials see this subnet.
   */
  readonly subnet?: string
  /**
   * The cloud has refused it for good or shown it as terminated, or a person says that it is gone: then it is enough
   * that nothing is shown of it.
   */
  readonly needsNoProof?: true
}
