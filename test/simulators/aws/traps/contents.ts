import { base64, tagged, type Trap } from './trap.ts'

/** What a launch carries with it: user data, tags, metadata options. */
export const contents: readonly Trap[] = [
  {
    trap: 'user data that is not base64',
    said: { UserData: '#!/bin/sh' },
    code: 'InvalidUserData.Malformed',
    message: 'Invalid BASE64 encoding of user data.',
  },
  {
    trap: 'user data of more than 16 KB before base64',
    said: { UserData: base64('x'.repeat(16_385)) },
    code: 'InvalidParameterValue',
    message: 'User data is limited to 16384 bytes',
  },
  {
    trap: 'a tag key of AWS itself',
    said: tagged([{ Key: 'aws:name', Value: 'x' }]),
    code: 'InvalidParameterValue',
    message: "Tag keys starting with 'aws:' are reserved for internal use",
  },
  {
    trap: 'more than 50 tags',
    said: tagged(Array.from({ length: 51 }, (_, at) => ({ Key: `k${at}`, Value: '' }))),
    code: 'TagLimitExceeded',
    message: '50',
  },
  {
    trap: 'the same tag key twice',
    said: tagged([
      { Key: 'a', Value: '1' },
      { Key: 'a', Value: '2' },
    ]),
    code: 'InvalidParameterValue',
    message: "Duplicate tag key 'a' specified.",
  },
  {
    trap: 'a tag key of 129 characters',
    said: tagged([{ Key: 'k'.repeat(129), Value: '' }]),
    code: 'InvalidParameterValue',
    message: '128',
  },
  {
    trap: 'a tag value of 257 characters',
    said: tagged([{ Key: 'k', Value: 'v'.repeat(257) }]),
    code: 'InvalidParameterValue',
    message: '256',
  },
  {
    trap: 'an empty tag key',
    said: tagged([{ Key: '', Value: 'v' }]),
    code: 'InvalidParameterValue',
    message: 'empty',
  },
  {
    trap: 'tags for what a launch does not make',
    said: tagged([{ Key: 'a', Value: 'b' }], 'vpc'),
    code: 'InvalidParameterValue',
    message: "'vpc' is not a valid taggable resource type for this operation.",
  },
  {
    trap: 'tags for a spot request of an instance on demand',
    said: { ...tagged([{ Key: 'a', Value: 'b' }], 'spot-instances-request'), InstanceMarketOptions: undefined },
    code: 'InvalidParameterValue',
    message: "'spot-instances-request' is not a valid taggable resource type for this operation.",
  },
  {
    trap: 'two tag specifications for one kind',
    said: { TagSpecifications: ['1', '2'].map((Value) => ({ ResourceType: 'instance', Tags: [{ Key: 'a', Value }] })) },
    code: 'InvalidParameterValue',
    message: 'once only',
  },
  {
    trap: 'a tag specification without tags',
    said: tagged([]),
    code: 'InvalidParameterValue',
    message: 'Tag specification must have at least one tag',
  },
  {
    trap: 'a slash in a tag key while tags are shown in the metadata',
    said: {
      ...tagged([{ Key: 'kubernetes.io/cluster/c', Value: 'owned' }]),
      MetadataOptions: { InstanceMetadataTags: 'enabled' },
    },
    code: 'InvalidParameterValue',
    message: "'kubernetes.io/cluster/c' is not a valid tag key. Tag keys must match pattern",
  },
  {
    trap: 'a word that HttpTokens does not know',
    said: { MetadataOptions: { HttpTokens: 'always' as 'required' } },
    code: 'InvalidParameterValue',
    message: 'Value (always) for parameter MetadataOptions.HttpTokens is invalid. Valid values: optional | required.',
  },
  {
    trap: 'a hop limit above 64',
    said: { MetadataOptions: { HttpPutResponseHopLimit: 65 } },
    code: 'InvalidParameterValue',
    message: 'HttpPutResponseHopLimit',
  },
]
