import type { MachineReason } from '../../../api/reasons.ts'
import type { LabCloud } from '../../lab/clouds/cloud.ts'

/** An input that the API server accepts although it cannot work, and the message about it. */
export interface BadInput {
  readonly because: string
  /** The fields that differ from a good machine; undefined removes one. */
  readonly machine?: object
  /** The same for the infrastructure cluster. */
  readonly cluster?: object
  /** The same for core's Machine. */
  readonly owner?: object
  readonly reason: MachineReason
  /** The content of the message: the field, and the error or the remedy. */
  readonly says: readonly string[]
  /** The correction in the cluster, or in core's Machine; undefined removes. */
  readonly mend?: Pick<BadInput, 'cluster' | 'owner'>
}

/** Errors in one cloud's kinds, with their corrections. */
export interface BadInputs {
  readonly goodMachine: (cloud: LabCloud) => object
  readonly goodCluster: (cloud: LabCloud) => object
  readonly cases: readonly BadInput[]
  /** Calls that create something. */
  readonly createActions: readonly string[]
}

/** The same in every cloud. The test creates the Secrets. */
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
