import type { MachineReason } from '../../api/reasons.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import type { LabCloudName } from '../lab/clouds/start.ts'

/** Something that the API server accepts although it cannot work, and what people are told of it. */
export interface BadInput {
  readonly because: string
  /** Other fields than a good machine has; undefined takes one away. */
  readonly machine?: object
  /** The same for the infrastructure cluster. */
  readonly cluster?: object
  /** The same for core's Machine. */
  readonly owner?: object
  readonly reason: MachineReason
  /** What the message has in it: the field, and what is wrong or what to do. */
  readonly says: readonly string[]
  /**
   * What somebody then changes in the cluster, or in core's Machine, so that it becomes right; undefined takes away.
   */
  readonly mend?: Pick<BadInput, 'cluster' | 'owner'>
}

/** What is wrong in one cloud's kinds, beside what would be right there. */
export interface BadInputs {
  readonly cloud: LabCloudName
  readonly goodMachine: (cloud: LabCloud) => object
  readonly goodCluster: (cloud: LabCloud) => object
  readonly cases: readonly BadInput[]
  /** Calls that make something. */
  readonly createActions: readonly string[]
}

/** In every cloud alike; the Secrets are made by the test. */
export const bootstrapCases: readonly BadInput[] = [
  {
    because: 'the bootstrap Secret is not there',
    owner: { bootstrap: { dataSecretName: 'not-there' } },
    reason: 'WaitingForBootstrapData',
    says: ['Secret not-there', 'spec.bootstrap.dataSecretName of the Machine', 'does not exist'],
    mend: { owner: { bootstrap: { dataSecretName: 'good' } } },
  },
  {
    because: 'the bootstrap Secret is empty',
    owner: { bootstrap: { dataSecretName: 'empty' } },
    reason: 'WaitingForBootstrapData',
    says: ['Secret empty', 'no key "value"', 'The bootstrap provider must write it'],
  },
  {
    because: 'the bootstrap data is longer than any cloud takes',
    owner: { bootstrap: { dataSecretName: 'long' } },
    reason: 'InvalidConfiguration',
    says: ['bootstrap data has 300031 '],
  },
]
