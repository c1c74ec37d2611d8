import type { RecordedRequest } from '../simulators/kit/http/journal.ts'
import type { Passing } from './tollgate.ts'

/** The event that leads a machine or a cluster to a point. */
export type Cause =
  | 'a new cluster'
  | 'a new machine'
  | 'a refusal'
  /** The cloud has none of the usual type. The machine goes on with another. */
  | 'a fallback'
  /** The cloud takes an instance back at once, and no policy has the manager act on a notice. */
  | 'an interruption'
  | 'a deletion'
  /** The end of an instance is announced. Its Node drains at once. */
  | 'a notice'
  /** The same, but its Node serves until the replacement is available. */
  | 'a notice that waits'
  /** The same as a notice, and a PodDisruptionBudget holds a Pod on its Node. */
  | 'a held Pod'

/** A moment at which the manager may die: a write to the API server, or a call to the cloud. */
export interface Point {
  readonly name: string
  readonly cause: Cause
  readonly at:
    | { readonly write: (body: WriteBody, passing: Passing) => boolean }
    | {
        readonly call: string
        /** Left out: every such call is the point. */
        readonly isMeant?: (request: RecordedRequest) => boolean
      }
}

/** Distinguishes the merge patches of the manager. Its JSON patches are arrays and have none of these fields. */
export interface WriteBody {
  readonly metadata?: {
    readonly annotations?: Readonly<Record<string, string | null>>
    readonly finalizers?: readonly string[] | null
    readonly labels?: Readonly<Record<string, string | null>>
  }
  readonly spec?: { readonly providerID?: string; readonly taints?: readonly { readonly key: string }[] }
  readonly status?: {
    readonly initialization?: { readonly provisioned?: boolean }
    readonly conditions?: readonly { readonly type: string; readonly reason: string }[]
  }
}

/** The path of one Machine of core. */
export const ofMachine = /^\/apis\/cluster\.x-k8s\.io\/[^/]+\/namespaces\/[^/]+\/machines\/[^/?]+(\?|$)/
/** The path of one Node. */
export const ofNode = /^\/api\/v1\/nodes\/[^/?]+(\?|$)/
/** The path of one Pod. */
export const ofPod = /^\/api\/v1\/namespaces\/[^/]+\/pods\/[^/?]+(\?|$)/
