import type { Ctx } from '../../../api/ctx.ts'
import type { CloudName } from '../../../api/scope.ts'
import type { FaultControl } from '../../simulators/kit/control/fault-control.ts'
import type { SightControl } from '../../simulators/kit/control/sight-control.ts'
import type { NodeRegistrar } from '../../simulators/kit/instances/nodes.ts'
import type { RecordedRequest } from '../../simulators/kit/http/journal.ts'
import type { CapacityHole } from '../../simulators/kit/supply/capacity.ts'
import type { RecordControl } from '../../simulators/kit/control/record-control.ts'
import type { Strangers } from '../strangers/strangers.ts'

/** The delays of a simulated cloud. */
export interface Delays {
  readonly bootMs?: number
  readonly stopMs?: number
  readonly shutdownMs?: number
  readonly noticeMs?: number
}

/** The options of a cloud of the lab. */
export interface LabCloudOptions {
  readonly delays: Delays
  readonly ctx: Ctx
  readonly nodes: NodeRegistrar
  /** A folder for files that its variables name. It is removed with the lab. */
  readonly folder: string
}

/** The commands of every simulated cloud. */
export interface CloudControl extends FaultControl, RecordControl, Pick<SightControl, 'lag'> {
  /** The cloud takes a spot instance back. */
  interrupt(id: string, noticeMs?: number): void
  /** When it ends by that notice. Left out: this cloud has no metadata that would tell it. */
  takenBackAt?(id: string): number | undefined
  /** It stops, as when its guest shuts down. */
  stop(id: string): void
  /** A user terminates it. */
  terminate(id: string): void
  /** It is gone at once. */
  vanish(id: string): void
  /** There is no capacity from now on, or not for this. */
  noCapacity(hole?: CapacityHole): void
  capacityBack(hole?: CapacityHole): void
  /** The names of the instances that were accepted, and then refused. They never ran. */
  refusedLater(): readonly string[]
}

export interface LabInstance {
  /** Its id in `CloudControl`, and the end of our handle. */
  readonly id: string
  /** `<machine>-<owner id>-…`. On EC2 it is made from the tags. */
  readonly name: string
  readonly state: string
}

export interface NoticeQueue {
  /** From now on the cloud sends its notices there. Returns the URL. */
  add(): string
  /** The call that acknowledges messages, and whether one of them is a notice of an end. */
  readonly acknowledge: { readonly call: string; readonly isMeant: (request: RecordedRequest) => boolean }
}

/** One simulated cloud of the lab, with everything its users need to reach it. */
export interface LabCloud {
  readonly name: CloudName
  /** The kinds' prefix: AWS in AWSMachine. */
  readonly prefix: string
  readonly url: string
  readonly control: CloudControl
  /** Endpoint and credentials for the manager, in the cloud's usual variables. Each secret contains the word canary. */
  readonly environment: NodeJS.ProcessEnv
  /** Further parts of the credentials that must never appear, besides the word canary. */
  readonly secrets?: readonly string[]
  /** The variables of examples/<name>. */
  readonly values: Readonly<Record<string, string>>
  /** The type of examples/<name>, another of the same architecture, and what an entry of `fallback` calls its types. */
  readonly types: { readonly usual: string; readonly other: string; readonly field: string }
  /** The call that creates an instance, as in `counts()`. */
  readonly createAction: string
  /** The call that terminates one. */
  readonly endAction: string
  /** The call that removes what outlives an instance; left out if nothing does. */
  readonly cleanUpAction?: string
  /** A queue of notices. Left out: this cloud has none. */
  readonly queue?: NoticeQueue
  /** The call that lists all instances, once for each list. */
  readonly isList: (request: RecordedRequest) => boolean
  /** The cloud's own words when it takes an instance of examples/<name> back. */
  readonly takenBack: RegExp
  /** The next instance is accepted, and then has no capacity. Left out if the cloud refuses at once. */
  readonly refuseLater?: () => void
  /** Makes our credentials invalid. The returned function makes them valid again. */
  denyUs(): () => void
  /**
   * Credentials of another, empty account: the variables that differ, and the names of both accounts. Left out if the
   * address of every call has the account.
   */
  otherAccount?(): { readonly environment: NodeJS.ProcessEnv; readonly theirs: string; readonly ours: string }
  /** Switches the documented rate limits on or off. */
  limited(are: boolean): void
  /** Instances that are not ended. */
  alive(): readonly LabInstance[]
  /** The names of all instances, also of those that are gone. */
  bought(): readonly string[]
  /** All resources of machines, by kind and name: instances, disks, network interfaces, addresses. */
  remains(): readonly string[]
  /** The number of those. */
  leftovers(): number
  /** Other users of the same account. */
  readonly strangers: Strangers
  close(): Promise<void>
}

/** The same, in one list. */
export function listed(remains: object): readonly string[] {
  return Object.entries(remains as Record<string, readonly string[]>).flatMap(([kind, names]) =>
    names.map((name) => `${kind}: ${name}`),
  )
}

/** The name of each instance that was made, once. */
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
  const refused = new Set(control.refusedLater())
  return [...new Set(names.map(String))].filter((name) => !refused.has(name))
}
