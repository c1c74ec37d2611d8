import { disk, image, typed, type Trap } from './trap.ts'

const labels = (all: object) => ({ labels: all })
const metadata = (...items: { key: string; value: string }[]) => ({ metadata: { items } })
const account = (over: object) => ({
  serviceAccounts: [{ email: 'default', scopes: ['https://www.googleapis.com/auth/cloud-platform'], ...over }],
})
const labelKey = 'The key can only contain lowercase letters, numeric characters, underscores and dashes.'
const labelValue = 'The value can only contain lowercase letters, numeric characters, underscores and dashes.'

/** What an insert carries with it: labels, metadata, tags, service accounts, disks. */
export const contents: readonly Trap[] = [
  {
    trap: 'a slash in the key of a label',
    said: labels({ 'spot.cluster.x-k8s.io/owner': 'a' }),
    message:
      "Invalid value for field 'resource.labels': ''. Label key 'spot.cluster.x-k8s.io/owner' violates format " +
      `constraints. ${labelKey}`,
  },
  { trap: 'a key that begins with a number', said: labels({ '1a': 'b' }), message: labelKey },
  { trap: 'an empty key', said: labels({ '': 'b' }), message: labelKey },
  { trap: 'a key of 64 characters', said: labels({ ['k'.repeat(64)]: 'b' }), message: labelKey },
  {
    trap: 'a capital in the value of a label',
    said: labels({ a: 'Worker' }),
    message: `Label value 'Worker' violates format constraints. ${labelValue}`,
  },
  { trap: 'a dot in the value of a label', said: labels({ a: 'head.default' }), message: labelValue },
  { trap: 'a slash in the value of a label', said: labels({ a: 'ns/name' }), message: labelValue },
  { trap: 'a value of 64 characters', said: labels({ a: 'v'.repeat(64) }), message: labelValue },
  {
    trap: 'more than 64 labels',
    said: labels(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`k${at}`, '']))),
    message: 'At most 64 labels are allowed.',
  },
  {
    trap: 'labels of a disk that are none',
    said: disk({ labels: { A: 'b' } }),
    message: "'resource.disks[0].initializeParams.labels'",
  },
  {
    trap: 'an older disk for a type that takes newer ones only',
    said: {
      ...typed('c4a-standard-4'),
      ...disk({ diskType: 'zones/us-central1-a/diskTypes/pd-standard' }),
    },
    message: '[pd-standard] features are not compatible for creating instance.',
  },
  {
    trap: 'metadata of more than 256 KB',
    said: metadata({ key: 'user-data', value: 'x'.repeat(262_145) }),
    code: 'fieldSizeTooLarge',
    status: 413,
    message:
      "Value for field 'resource.metadata.items[0].value' is too large: maximum size 262144 character(s); actual size " +
      '262145.',
  },
  {
    trap: 'metadata of more than 512 KB in all',
    said: metadata(...['a', 'b', 'c'].map((key) => ({ key, value: 'x'.repeat(200_000) }))),
    code: 'fieldSizeTooLarge',
    status: 413,
    message: "Value for field 'resource.metadata' is too large: maximum size 524288 character(s)",
  },
  {
    trap: 'a key of metadata with a dot',
    said: metadata({ key: 'user.data', value: '' }),
    message: "'resource.metadata.items[0].key': 'user.data'",
  },
  {
    trap: 'a key of metadata twice',
    said: metadata({ key: 'a', value: '1' }, { key: 'a', value: '2' }),
    message: 'Metadata has duplicate keys.',
  },
  {
    trap: 'a network tag with a capital',
    said: { tags: { items: ['Node'] } },
    message: "'resource.tags.items[0]': 'Node'",
  },
  { trap: 'a network tag twice', said: { tags: { items: ['a', 'a'] } }, message: 'Duplicate tags are not allowed.' },
  {
    trap: 'two service accounts',
    said: { serviceAccounts: [{}, {}] },
    message: 'At most one service account can be enabled for an instance.',
  },
  {
    trap: 'a service account that is none',
    said: account({ email: 'me@example.com' }),
    message: 'The specified service account is invalid.',
  },
  {
    trap: 'a service account that nobody has',
    said: account({ email: 'gone@elsewhere.iam.gserviceaccount.com' }),
    code: 'notFound',
    status: 404,
    message: "'gone@elsewhere.iam.gserviceaccount.com' was not found.",
  },
  {
    trap: 'a scope that there is not',
    said: account({ scopes: ['everything'] }),
    message: "'everything'. The specified scope is invalid.",
  },
  {
    trap: 'labels of a disk that does not persist',
    said: {
      disks: [
        { boot: true, initializeParams: { sourceImage: image } },
        {
          type: 'SCRATCH',
          initializeParams: { diskType: 'zones/us-central1-a/diskTypes/local-ssd', labels: { a: 'b' } },
        },
      ],
    },
    message: 'Labels are only applicable for persistent disks.',
  },
  {
    trap: 'a service account without scopes',
    said: account({ scopes: [] }),
    message: 'You must specify at least one scope for a service account.',
  },
  { trap: 'no disk', said: { disks: [] }, message: 'A boot disk must be specified.' },
  { trap: 'no disk to boot from', said: disk({}, { boot: false }), message: 'A boot disk must be specified.' },
  {
    trap: 'two disks to boot from',
    said: { disks: [1, 2].map(() => ({ boot: true, initializeParams: { sourceImage: image } })) },
    message: 'At most one boot disk can be specified.',
  },
  {
    trap: 'a boot disk without an image',
    said: disk({ sourceImage: null }),
    code: 'required',
    message: "Required field 'resource.disks[0].initializeParams.sourceImage' not specified",
  },
  {
    trap: 'a disk smaller than its image',
    said: disk({ diskSizeGb: '5' }),
    message: "'5'. Requested disk size cannot be smaller than the image size (10 GB)",
  },
  {
    trap: 'a disk too large to be',
    said: disk({ diskSizeGb: '65537' }),
    message: 'Must be less than or equal to 65536',
  },
  {
    trap: 'a disk type that GCE has not',
    said: disk({ diskType: 'zones/us-central1-a/diskTypes/pd-fast' }),
    message: 'The referenced diskType resource cannot be found.',
  },
  {
    trap: 'a disk type of another zone',
    said: disk({ diskType: 'zones/us-central1-b/diskTypes/pd-ssd' }),
    message: 'The referenced diskType resource cannot be found.',
  },
  {
    trap: 'a local SSD that is to persist',
    said: disk({ diskType: 'zones/us-central1-a/diskTypes/local-ssd' }),
    message: 'Only local SSDs are scratch disks.',
  },
]
