import { base64, tagged, trapsOf } from './trap.ts'

/** What a launch carries with it: user data, tags, metadata options. */
export const contents = trapsOf({
  'InvalidUserData.Malformed': [
    ['user data that is not base64', { UserData: '#!/bin/sh' }, 'Invalid BASE64 encoding of user data.'],
  ],
  InvalidParameterValue: [
    [
      'user data of more than 16 KB before base64',
      { UserData: base64('x'.repeat(16_385)) },
      'User data is limited to 16384 bytes',
    ],
    [
      'a tag key of AWS itself',
      tagged([{ Key: 'aws:name', Value: 'x' }]),
      "Tag keys starting with 'aws:' are reserved for internal use",
    ],
    [
      'the same tag key twice',
      tagged([
        { Key: 'a', Value: '1' },
        { Key: 'a', Value: '2' },
      ]),
      "Duplicate tag key 'a' specified.",
    ],
    ['a tag key of 129 characters', tagged([{ Key: 'k'.repeat(129), Value: '' }]), '128'],
    ['a tag value of 257 characters', tagged([{ Key: 'k', Value: 'v'.repeat(257) }]), '256'],
    ['an empty tag key', tagged([{ Key: '', Value: 'v' }]), 'empty'],
    [
      'tags for what a launch does not make',
      tagged([{ Key: 'a', Value: 'b' }], 'vpc'),
      "'vpc' is not a valid taggable resource type for this operation.",
    ],
    [
      'tags for a spot request of an instance on demand',
      { ...tagged([{ Key: 'a', Value: 'b' }], 'spot-instances-request'), InstanceMarketOptions: undefined },
      "'spot-instances-request' is not a valid taggable resource type for this operation.",
    ],
    [
      'two tag specifications for one kind',
      { TagSpecifications: ['1', '2'].map((Value) => ({ ResourceType: 'instance', Tags: [{ Key: 'a', Value }] })) },
      'once only',
    ],
    ['a tag specification without tags', tagged([]), 'Tag specification must have at least one tag'],
    [
      'a slash in a tag key while tags are shown in the metadata',
      {
        ...tagged([{ Key: 'kubernetes.io/cluster/c', Value: 'owned' }]),
        MetadataOptions: { InstanceMetadataTags: 'enabled' },
      },
      "'kubernetes.io/cluster/c' is not a valid tag key. Tag keys must match pattern",
    ],
    [
      'a word that HttpTokens does not know',
      { MetadataOptions: { HttpTokens: 'always' as 'required' } },
      'Value (always) for parameter MetadataOptions.HttpTokens is invalid. Valid values: optional | required.',
    ],
    ['a hop limit above 64', { MetadataOptions: { HttpPutResponseHopLimit: 65 } }, 'HttpPutResponseHopLimit'],
  ],
  TagLimitExceeded: [
    ['more than 50 tags', tagged(Array.from({ length: 51 }, (_, at) => ({ Key: `k${at}`, Value: '' }))), '50'],
  ],
})
