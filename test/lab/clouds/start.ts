import type { CloudName } from '../../../api/scope.ts'
import { startAws } from './aws.ts'
import { startAzure } from './azure.ts'
import type { LabCloud, LabCloudOptions } from './cloud.ts'
import { startGcp } from './gcp.ts'
import { startIbm } from './ibm.ts'

/** Every cloud that a lab can have. */
export const labClouds = { aws: startAws, azure: startAzure, gcp: startGcp, ibm: startIbm } as const satisfies Record<
  CloudName,
  (options: LabCloudOptions) => Promise<LabCloud>
>

export type LabCloudName = keyof typeof labClouds
export const labCloudNames = Object.keys(labClouds) as readonly LabCloudName[]
