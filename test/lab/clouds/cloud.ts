import type { Ctx } from '../../../api/ctx.ts'
import type { CloudName } from '../../../api/scope.ts'
import type { FaultControl } from '../../simulators/kit/fault-control.ts'
import type { SightControl } from '../../simulators/kit/sight-control.ts'
import type { NodeRegistrar } from '../../simulators/kit/nodes.ts'
import type { RecordedRequest } from '../../simulators/kit/journal.ts'
import type { RecordControl } from '../../simulators/kit/record-control.ts'
import type { Strangers } from '../strangers/strangers.ts'

/** How long a simulated cloud takes for what. */
export interface Delays {
  readonly bootMs?: number
  readonly stopMs?: number
  readonly shutdownMs?: number
  readonly noticeMs?: number
}

/** What a cloud of the lab is started with. */
export interface LabCloudOptions {
  readonly delays: Delays
  readonly ctx: Ctx
  readonly nodes: NodeRegistrar
  /** For files that its variables lead to; gone when the lab is. */
  readonly folder: string
}

/** What every simulated cloud can be told, whatever it simulates. */
export interface CloudControl extends FaultControl, RecordControl, Pick<SightControl, 'lag'> {
  /** The cloud takes a spot instance back. */
  interrupt(id: string, noticeMs?: number): void
  /** It stops, as when its guest shuts down. */
  stop(id: string): void
  /** Somebody ends it. */
  terminate(id: string): void
  /** It is gone at once. */
  vanish(id: string): void
  /** Nothing can be had from now on. */
  noCapacity(): void
  capacityBack(): void
}

export interface LabInstance {
  /** What `CloudControl` knows it by, and our handle of it ends with. */
  readonly id: string
  /** `<machine>-<owner id>-…`: with whose it is. On EC2, where that stands in tags, it is made of them. */
  readonly name: string
  readonly state: string
}

/** One simulated cloud of the lab, with what leads its users to it. */
export interface LabCloud {
  readonly name: CloudName
  /** The kinds' prefix: AWS in AWSMachine. */
  readonly prefix: string
  readonly url: string
  readonly control: CloudControl
  /**
   * For the manager: endpoint and credentials, by the variables that the cloud's users know. Each secret among them has
   * the word canary in it.
   */
  readonly environment: NodeJS.ProcessEnv
  /** What of the credentials nobody may ever see, besides what has the word canary in it. */
  readonly secrets?: readonly string[]
  /** The variables of examples/<name>. */
  readonly values: Readonly<Record<string, string>>
  /** The call that makes an instance, as `counts()` names it. */
  readonly createAction: string
  /** The call that ends one. */
  readonly endAction: string
  /** The call that removes what an instance leaves behind; left out where nothing outlives it. */
  readonly cleanUpAction?: string
  /** The call by which all instances are listed, once a list. */
  readonly isList: (request: RecordedRequest) => boolean
  /** The cloud's own words when it takes an instance of examples/<name> back. */
  readonly takenBack: RegExp
  /** The next instance is accepted, and then there is no capacity for it; left out where the cloud says so at once. */
  readonly refuseLater?: () => void
  /** Our credentials are no good from now on, until what is answered makes them good again. */
  denyUs(): () => void
  /**
   * Credentials of another account, with nothing in it: the variables that are different, and what that account and
   * ours are called. Left out where the account stands in the address of every call.
   */
  otherAccount?(): { readonly environment: NodeJS.ProcessEnv; readonly theirs: string; readonly ours: string }
  /** Whether the documented limits of calls hold. */
  limited(are: boolean): void
  /** Instances that are not ended. */
  alive(): readonly LabInstance[]
  /** The names of all instances that there ever were, those that are long gone too. */
  bought(): readonly string[]
  /** All that stands there for machines, by kind and name: instances, disks, network interfaces, addresses. */
  remains(): readonly string[]
  /** How much that is. */
  leftovers(): number
  /** Others, who work in the same account. */
  readonly strangers: Strangers
  close(): Promise<void>
}

/** The same, in one list. */
export function listed(remains: object): readonly string[] {
  return Object.entries(remains as Record<string, readonly string[]>).flatMap(([kind, names]) =>
    names.map((name) => `${kind}: ${name}`),
  )
}

/** What each create call that was done asked for, once for each name. */
export function boughtBy(
  { control, createAction }: Pick<LabCloud, 'control' | 'createAction'>,
  field: string,
): string[] {
  const done = control
    .requests()
    .filter(({ action, answer, lost }) => action === createAction && (lost || (answer?.status ?? 400) < 300))
  const names = done.map(
    ({ params }) => params[field] ?? (params['body'] as Record<string, unknown> | undefined)?.[field],
  )
  return [...new Set(names.map(String))]
}
