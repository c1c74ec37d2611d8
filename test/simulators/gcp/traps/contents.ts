import { disk, image, typed, trapsOf } from './trap.ts'

const labels = (all: object) => ({ labels: all })
const metadata = (...items: { key: string; value: string }[]) => ({ metadata: { items } })
const account = (over: object) => ({
  serviceAccounts: [{ email: 'default', scopes: ['https://www.googleapis.com/auth/cloud-platform'], ...over }],
})
const labelKey = 'The key can only contain lowercase letters, numeric characters, underscores and dashes.'
const labelValue = 'The value can only contain lowercase letters, numeric characters, underscores and dashes.'

/** What an insert carries with it: labels, metadata, tags, service accounts, disks. */
export const contents = trapsOf({
  invalid: [
    [
      'a slash in the key of a label',
      labels({ 'spot.cluster.x-k8s.io/owner': 'a' }),
      "Invalid value for field 'resource.labels': ''. Label key 'spot.cluster.x-k8s.io/owner' violates format " +
        `constraints. ${labelKey}`,
    ],
    ['a key that begins with a number', labels({ '1a': 'b' }), labelKey],
    ['an empty key', labels({ '': 'b' }), labelKey],
    ['a key of 64 characters', labels({ ['k'.repeat(64)]: 'b' }), labelKey],
    [
      'a capital in the value of a label',
      labels({ a: 'Worker' }),
      `Label value 'Worker' violates format constraints. ${labelValue}`,
    ],
    ['a dot in the value of a label', labels({ a: 'head.default' }), labelValue],
    ['a slash in the value of a label', labels({ a: 'ns/name' }), labelValue],
    ['a value of 64 characters', labels({ a: 'v'.repeat(64) }), labelValue],
    [
      'more than 64 labels',
      labels(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`k${at}`, '']))),
      'At most 64 labels are allowed.',
    ],
    ['labels of a disk that are none', disk({ labels: { A: 'b' } }), "'resource.disks[0].initializeParams.labels'"],
    [
      'an older disk for a type that takes newer ones only',
      {
        ...typed('c4a-standard-4'),
        ...disk({ diskType: 'zones/us-central1-a/diskTypes/pd-standard' }),
      },
      '[pd-standard] features are not compatible for creating instance.',
    ],
    [
      'a key of metadata with a dot',
      metadata({ key: 'user.data', value: '' }),
      "'resource.metadata.items[0].key': 'user.data'",
    ],
    [
      'a key of metadata twice',
      metadata({ key: 'a', value: '1' }, { key: 'a', value: '2' }),
      'Metadata has duplicate keys.',
    ],
    ['a network tag with a capital', { tags: { items: ['Node'] } }, "'resource.tags.items[0]': 'Node'"],
    ['a network tag twice', { tags: { items: ['a', 'a'] } }, 'Duplicate tags are not allowed.'],
    [
      'two service accounts',
      { serviceAccounts: [{}, {}] },
      'At most one service account can be enabled for an instance.',
    ],
    [
      'a service account that is none',
      account({ email: 'me@example.com' }),
      'The specified service account is invalid.',
    ],
    ['a scope that there is not', account({ scopes: ['everything'] }), "'everything'. The specified scope is invalid."],
    [
      'labels of a disk that does not persist',
      {
        disks: [
          { boot: true, initializeParams: { sourceImage: image } },
          {
            type: 'SCRATCH',
            initializeParams: { diskType: 'zones/us-central1-a/diskTypes/local-ssd', labels: { a: 'b' } },
          },
        ],
      },
      'Labels are only applicable for persistent disks.',
    ],
    [
      'a service account without scopes',
      account({ scopes: [] }),
      'You must specify at least one scope for a service account.',
    ],
    ['no disk', { disks: [] }, 'A boot disk must be specified.'],
    ['no disk to boot from', disk({}, { boot: false }), 'A boot disk must be specified.'],
    [
      'two disks to boot from',
      { disks: [1, 2].map(() => ({ boot: true, initializeParams: { sourceImage: image } })) },
      'At most one boot disk can be specified.',
    ],
    [
      'a disk smaller than its image',
      disk({ diskSizeGb: '5' }),
      "'5'. Requested disk size cannot be smaller than the image size (10 GB)",
    ],
    ['a disk too large to be', disk({ diskSizeGb: '65537' }), 'Must be less than or equal to 65536'],
    [
      'a disk type that GCE has not',
      disk({ diskType: 'zones/us-central1-a/diskTypes/pd-fast' }),
      'The referenced diskType resource cannot be found.',
    ],
    [
      'a disk type of another zone',
      disk({ diskType: 'zones/us-central1-b/diskTypes/pd-ssd' }),
      'The referenced diskType resource cannot be found.',
    ],
    [
      'a local SSD that is to persist',
      disk({ diskType: 'zones/us-central1-a/diskTypes/local-ssd' }),
      'Only local SSDs are scratch disks.',
    ],
  ],
  fieldSizeTooLarge: [
    [
      'metadata of more than 256 KB',
      metadata({ key: 'user-data', value: 'x'.repeat(262_145) }),
      "Value for field 'resource.metadata.items[0].value' is too large: maximum size 262144 character(s); actual size " +
        '262145.',
      413,
    ],
    [
      'metadata of more than 512 KB in all',
      metadata(...['a', 'b', 'c'].map((key) => ({ key, value: 'x'.repeat(200_000) }))),
      "Value for field 'resource.metadata' is too large: maximum size 524288 character(s)",
      413,
    ],
  ],
  notFound: [
    [
      'a service account that nobody has',
      account({ email: 'gone@elsewhere.iam.gserviceaccount.com' }),
      "'gone@elsewhere.iam.gserviceaccount.com' was not found.",
      404,
    ],
  ],
  required: [
    [
      'a boot disk without an image',
      disk({ sourceImage: null }),
      "Required field 'resource.disks[0].initializeParams.sourceImage' not specified",
    ],
  ],
})
