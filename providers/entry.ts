import type { Resource } from '../api/meta.ts'
import type { RefusalKind } from '../api/refusal.ts'
import type { Cloud, CloudSettings, Offerings } from './cloud.ts'
import type { Permissions } from './permissions.ts'
import type { Countings } from './shared/granted-limits.ts'

/** The facts about a cloud that need none of its libraries. These are loaded with the first machine of the cloud. */
export interface CloudEntry {
  readonly machines: Resource
  readonly clusters: Resource
  /** The buckets of its calls, to check `--granted-limits` at the start. */
  readonly counting: Countings
  /** How it writes its accounts. */
  readonly account: RegExp
  /** What its refusals close. The memory of capacity reads it for all clouds at once. */
  readonly closing: Pick<Offerings, 'quotaClassOf' | 'reachOf'>
  readonly load: (settings: CloudSettings) => Promise<Cloud>
  /** For the generated pages of docs/. */
  readonly reference: () => Promise<CloudReference>
}

export interface CloudReference {
  /** The heading of its sections. */
  readonly title: string
  /** By code, or by code and wording. */
  readonly errorKinds: Readonly<Record<string, RefusalKind>>
  /** By name of the variable. */
  readonly variables: Readonly<Record<string, string>>
  readonly permissions: {
    readonly tables: Permissions
    /** A policy or role that grants the least, as the cloud reads it. */
    readonly policy: { readonly language: 'json' | 'yaml' | 'text'; readonly text: string }
    readonly before?: string
    readonly after?: string
  }
}
