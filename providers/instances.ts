import type { Ctx } from '../api/ctx.ts'
import type { CloudError } from './errors.ts'

/**
 * THE SEAM: all that a cloud has to be able to do for us.
 *
 * None of the four blocks until the cloud is done; all may be called again at any time, by another process too, and the
 * second call does no more than the first. Every failure is a `CloudError`. Every call ends when `ctx.signal` does.
 */
export interface Instances {
  /**
   * Asks for one instance. Idempotent on `want.token`: however often and from wherever it is called, at most one
   * instance comes of one token (as long as all requests for it were planned for the same place, `Wanted.at`), and a
   * call that finds it there answers with it, whatever state it is in by now. It does not wait until the cloud has
   * started it: a refusal that comes later is in the list, as `Instance.failure`. After a definite refusal nothing of
   * this token is left in the cloud; where that cannot be had, the error is 'ambiguous'. An answer that does not carry
   * the mark of this launch is a 'conflict': then nothing says what came of the call.
   */
  create(want: Launch, ctx: Ctx): Promise<Instance>
  /**
   * A direct look at one instance, past every cache of ours. 'absent': the cloud says that there is none;
   * 'unknown': it cannot tell now (a part of it does not answer). Throws 'AbsenceUnproven' where `which.place` is not
   * seen either.
   */
  find(which: InstanceRef, ctx: Ctx): Promise<Instance | 'absent' | 'unknown'>
  /**
   * Everything of ours in a scope, page by page, in any state that the cloud still shows. `complete` is true on the
   * last page of a list in which nothing was left out; only a complete list may prove that something is gone. Where no
   * more than some zones were left out, the last page names them: elsewhere that list is as good as a complete one.
   * Every call without which there is no list goes through `asking`. Whoever passes a list on passes that on, too.
   */
  list(scope: Scope, ctx: Ctx, asking: Asking): AsyncIterable<InstancePage>
  /**
   * Ends the instance with all that belongs to it (disks, network interfaces, addresses); ask again until 'gone'.
   * Refuses with kind 'conflict' what does not carry `which.mark`.
   */
  terminate(which: InstanceRef, ctx: Ctx): Promise<TerminateResult>
}

/**
 * 'going': the cloud has begun to end it, so that from now on its absence means what it says. 'later': it has not, and
 * nothing was begun: the cloud ends it only in another state, or after something else.
 */
export type TerminateResult = 'gone' | 'going' | 'later'

/** How a page of a list is asked for: once, or again where it was refused. */
export type Asking = <T>(page: () => Promise<T>) => Promise<T>

export const once: Asking = (page) => page()

export interface InstancePage {
  items: Instance[]
  complete: boolean
  /**
   * On the last page: the account that the list is of. Left out where that is not known; then what the list lacks is
   * not proven to be gone.
   */
  account?: string | undefined
  /** On the last page of a list that is not complete: the zones of which it does not speak. It does of all others. */
  unreachableZones?: readonly string[]
}

/** Where calls go: one account (by its identity) and region. One poller and one set of rate limits serve each. */
export interface Scope {
  readonly cloud: CloudName
  /** Which credentials: 'default' is the manager's own. */
  readonly identity: string
  /**
   * Azure's subscription, GCP's project, the account of EC2 and IBM: that of the instances, as it is pinned on the
   * infrastructure cluster. Credentials of another one are 'denied'. Left out while it is not known.
   */
  readonly account?: string
  readonly region: string
  /**
   * A part of the account in which names are looked for: Azure's resource group. Lists and rate limits span all parts.
   */
  readonly within?: string
}

/** The name of what one poller and one set of rate limits serve. */
export function scopeKey({ cloud, identity, account, region }: Scope): string {
  return [cloud, identity, ...(account === undefined ? [] : [account]), region].join('/')
}

export type CloudName = 'aws' | 'azure' | 'gcp' | 'ibm'

/** Whose an instance is. */
export interface Ownership {
  /** The random id of the Cluster (annotation owner-id): survives a move, proves what names cannot. */
  readonly owner: string
  /** `namespace/name` of the infra machine. */
  readonly machine: string
  /** Which attempt made it: the token that the create call carried. */
  readonly token: string
}

declare const digestOfMachine: unique symbol

/** What stands for `namespace/name` where a cloud has no room for it (`machineMark`). The name itself is none. */
export type MachineDigest = string & { readonly [digestOfMachine]: true }

/**
 * An ownership as every cloud can show it (`markOf`): written there at creation, never changed. Not every cloud has
 * room for the name of a machine, so a digest stands for it; the owner and the token stand for themselves.
 */
export interface Mark {
  readonly owner: string
  readonly machine: MachineDigest
  /** `namespace/name` in full, where the cloud stores it: then the digest alone proves nothing. */
  readonly machineName?: string
  readonly token: string
}

export interface Launch extends Ownership {
  readonly scope: Scope
  /** What to ask for: made by the adapter's own `plan`, from specs and from what was looked up for them. */
  readonly request: LaunchRequest
  /** The bootstrap data as it stands in the Secret. Must not reach a log, an error or a status. */
  readonly userData: Uint8Array
  /** The Cluster's name, for tags that people and the cloud's other tools read. */
  readonly clusterName: string
}

/** Opaque to the loop: a plain JSON object, so that it can be hashed. */
export type LaunchRequest = Readonly<Record<string, unknown>>

/** All that we know of an instance that may exist: enough to find it whatever was lost on the way. */
export interface InstanceRef {
  readonly scope: Scope
  readonly mark: Mark
  /** What the cloud calls it (`Cloud.nameOf`), where names are what it is found by. */
  readonly name?: string
  /** The cloud's own immutable id, once known. */
  readonly id?: string
  /** Where it is, or was asked for. */
  readonly zone?: string
  /**
   * The subnet that it was asked for. Where an endpoint or an account decides what is shown (EC2, IBM), it counts as
   * absent only while the same credentials see this subnet.
   */
  readonly place?: string
  /**
   * The cloud has refused it for good or shown it as terminated, or a person says that it is gone: then it is enough
   * that nothing is shown of it.
   */
  readonly needsNoProof?: true
}

export type InstanceState =
  /** Accepted; not yet started by the cloud. */
  | 'pending'
  | 'running'
  /** On its way to stopped: it serves no more. */
  | 'stopping'
  /** Off, but still there (and paid for in part). */
  | 'stopped'
  /** On its way out. */
  | 'terminating'
  /** Gone; the cloud still shows that it was there. */
  | 'terminated'
  /** No instance, only what was made for one: a network interface, a disk. `terminate` removes it. */
  | 'leftover'

export interface Instance {
  /** The cloud's own immutable id: never used again, even where names are. */
  readonly id: string
  /** What the cloud calls it, where that is not the id. */
  readonly name?: string
  /** When the cloud made it, by its own clock; undefined where it does not tell. */
  readonly launchedAt?: number
  /** The account that it is in, or the place within it that the providerID names; where the answer names one. */
  readonly account?: string
  readonly state: InstanceState
  /**
   * The cloud has begun to run it, so that it can no longer be refused for lack of capacity. Its providerID is fixed.
   */
  readonly started: boolean
  /** Undefined where the cloud's answer does not prove that it is ours. */
  readonly mark: Mark | undefined
  /** What was really bought. */
  readonly capacityType: CapacityType
  readonly instanceType: string
  readonly zone: string
  readonly addresses: readonly Address[]
  /** Why it is in this state, in the cloud's own words. */
  readonly reason?: { readonly code: string; readonly message: string }
  /** The cloud took it back: preempted, evicted, reclaimed. */
  readonly interrupted?: boolean
  /** A refusal after the fact: the cloud said yes, then found that it could not. */
  readonly failure?: CloudError
}

export type CapacityType = 'Spot' | 'OnDemand' | 'Reserved'

export interface Address {
  readonly type: 'Hostname' | 'InternalIP' | 'ExternalIP' | 'InternalDNS' | 'ExternalDNS'
  readonly address: string
}
