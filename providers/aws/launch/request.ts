import type { ResourceType, RunInstancesRequest, TagSpecification } from '@aws-sdk/client-ec2'
import type { Launch } from '../../instances.ts'
import { ownershipTags } from '../observe/ownership.ts'
import { encodeUserData } from './user-data.ts'

/** The part of the call that specs and lookups decide. */
export type RunAs = Omit<
  RunInstancesRequest,
  'ClientToken' | 'MinCount' | 'MaxCount' | 'UserData' | 'TagSpecifications'
>

/** The request of one machine, without the token of its attempt, the tags that follow from it, and the user data. */
export interface AwsRequest extends Record<string, unknown> {
  readonly run: RunAs
  readonly additionalTags: Readonly<Record<string, string>>
  readonly compressUserData: boolean
}

const taggedAtCreation: readonly ResourceType[] = ['instance', 'volume', 'network-interface']

/** The call itself. Throws 'invalid' for user data that EC2 would not take. */
export function runInstances(want: Launch): RunInstancesRequest {
  const { run, additionalTags, compressUserData } = want.request as AwsRequest
  const Tags = ownershipTags(want, additionalTags)
  const isSpot = run.InstanceMarketOptions?.MarketType === 'spot'
  const tagged: readonly ResourceType[] = [...taggedAtCreation, ...(isSpot ? ['spot-instances-request' as const] : [])]
  return {
    ...run,
    ClientToken: want.token,
    MinCount: 1,
    MaxCount: 1,
    UserData: encodeUserData(want.userData, compressUserData),
    TagSpecifications: tagged.map((ResourceType): TagSpecification => ({ ResourceType, Tags })),
  }
}
