import type { GCPMachineSpec } from '../../../api/generated/gcp-machine.ts'

type EncryptionKey = NonNullable<GCPMachineSpec['rootDiskEncryptionKey']>

export interface Disk {
  readonly isBoot: boolean
  readonly type: string
  /** Undefined: as large as the image, or as GCE makes them. */
  readonly sizeGb: number | undefined
  readonly image: string | undefined
  readonly key: { readonly kmsKeyName: string; readonly kmsKeyServiceAccount?: string } | undefined
}

const usualType = 'pd-standard'
const usualSizeGb = 30

/** All disks, the boot disk first. */
export function disksOf(spec: GCPMachineSpec, image: string): Disk[] {
  const { rootDeviceType, rootDeviceSize, rootDiskEncryptionKey, additionalDisks = [] } = spec
  const root: Disk = {
    isBoot: true,
    type: rootDeviceType ?? usualType,
    sizeGb: rootDeviceSize || undefined,
    image,
    key: keyOf(rootDiskEncryptionKey),
  }
  const others = additionalDisks.map(({ deviceType = usualType, size = usualSizeGb, encryptionKey }) => ({
    isBoot: false,
    type: deviceType,
    sizeGb: size,
    image: undefined,
    key: keyOf(encryptionKey),
  }))
  return [root, ...others]
}

function keyOf(key: EncryptionKey | undefined): Disk['key'] {
  if (!key?.managedKey) return undefined
  const { managedKey, kmsKeyServiceAccount } = key
  return { kmsKeyName: managedKey.kmsKeyName, ...(kmsKeyServiceAccount ? { kmsKeyServiceAccount } : {}) }
}
