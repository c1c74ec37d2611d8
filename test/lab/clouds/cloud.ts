import type { Ctx } from '../../../api/ctx.ts'
import type { FaultControl } from '../../simulators/common/fault-control.ts'
import type { NodeRegistrar } from '../../simulators/common/nodes.ts'
import type { RecordControl } from '../../simulators/common/record-control.ts'

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
export interface CloudControl extends FaultControl, RecordControl {
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
  readonly id: string
  readonly state: string
}

/** One simulated cloud of the lab, with what leads its users to it. */
export interface LabCloud {
  readonly name: string
  /** The kinds' prefix: AWS in AWSMachine. */
  readonly prefix: string
  readonly url: string
  readonly control: CloudControl
  /** For the manager: endpoint and credentials, by the variables that the cloud's users know. */
  readonly environment: NodeJS.ProcessEnv
  /** The variables of examples/<name>. */
  readonly values: Readonly<Record<string, string>>
  /** The call that makes an instance, as `counts()` names it. */
  readonly createAction: string
  /** The call of which every poll makes one, by the same names. */
  readonly pollAction: string
  /** The cloud's own words when it takes an instance of examples/<name> back. */
  readonly takenBack: RegExp
  /** The next instance is accepted, and then there is no capacity for it; left out where the cloud says so at once. */
  readonly refuseLater?: () => void
  /** Whether the documented limits of calls hold. */
  limited(are: boolean): void
  /** Instances that are not ended. */
  alive(): readonly LabInstance[]
  /** How much is there that was made for machines: instances, disks, network interfaces, addresses. */
  leftovers(): number
  close(): Promise<void>
}
