import type { Clock, Log } from '../../api/ctx.ts'
import type { CloudName } from '../../api/scope.ts'
import { startAwsSimulator } from './aws/simulator.ts'
import { startAzureSimulator } from './azure/simulator.ts'
import type { BucketTableName } from './kit/control/bucket-control.ts'
import type { NodeRegistrar } from './kit/instances/nodes.ts'
import type { Delays } from './kit/options.ts'
import { startGcpSimulator } from './gcp/simulator.ts'
import { startIbmSimulator } from './ibm/simulator.ts'

/** What every simulated cloud is started with. */
export interface CloudOptions extends Delays {
  readonly clock: Clock
  readonly log: Log
  readonly port: number
  readonly nodes: NodeRegistrar
  readonly buckets: BucketTableName
  readonly keptRequests: number
}

export interface StartedCloud {
  /** What a person or a test has to know to use it. */
  readonly facts: object
  close(): Promise<void>
}

/** Every cloud that can be simulated. */
export const clouds = {
  aws: startAwsSimulator,
  azure: startAzureSimulator,
  gcp: startGcpSimulator,
  ibm: startIbmSimulator,
} as const satisfies Record<CloudName, (options: CloudOptions) => Promise<StartedCloud>>

export type SimulatedCloudName = keyof typeof clouds

export const cloudNames = Object.keys(clouds) as SimulatedCloudName[]
