import type { Case } from './crd-cases.ts'

const kmsKeyName = 'projects/my-project/locations/europe-west1/keyRings/my-ring/cryptoKeys/my-key'
const key = { keyType: 'Managed', managedKey: { kmsKeyName } }

export const diskCases: Case[] = [
  {
    because: 'a disk of every kind',
    spec: { additionalDisks: [{}, { deviceType: 'local-ssd' }, { size: 10, encryptionKey: key }] },
  },
  {
    because: 'a local disk of the size that it has',
    spec: { additionalDisks: [{ deviceType: 'local-ssd', size: 375 }] },
  },
  {
    because: 'a local disk of another size',
    spec: { additionalDisks: [{ deviceType: 'local-ssd', size: 30 }] },
    says: 'spec.additionalDisks[0].size: Invalid value: size of a local-ssd is always 375 GB',
  },
  {
    because: 'a local disk with a key',
    spec: { additionalDisks: [{ deviceType: 'local-ssd', encryptionKey: key }] },
    says: 'spec.additionalDisks[0].encryptionKey: Invalid value: a local-ssd cannot have an encryptionKey',
  },
  {
    because: 'the disk that it boots from',
    spec: { rootDeviceSize: 10, rootDeviceType: 'hyperdisk-balanced', rootDiskEncryptionKey: key },
  },
  {
    because: 'nothing boots from a local disk',
    spec: { rootDeviceType: 'local-ssd' },
    says: 'spec.rootDeviceType: Unsupported value',
  },
  {
    because: 'a disk too small',
    spec: { rootDeviceSize: 9 },
    says: 'spec.rootDeviceSize in body should be greater than or equal to 10',
  },
  {
    because: 'a key that everybody could read',
    spec: { rootDiskEncryptionKey: { keyType: 'Supplied' } },
    says: 'spec.rootDiskEncryptionKey.keyType: Invalid value: keyType Supplied is not supported',
  },
  {
    because: 'a key without a name',
    spec: { additionalDisks: [{ encryptionKey: { keyType: 'Managed' } }] },
    says: 'spec.additionalDisks[0].encryptionKey.managedKey: Invalid value: keyType Managed needs managedKey',
  },
]
