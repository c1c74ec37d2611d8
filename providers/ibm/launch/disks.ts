import type { IBMMachineSpec } from '../../../api/generated/ibm-machine.ts'
import type { LaunchAs } from './request.ts'

/** The disk that it boots from. It always ends with the instance. */
export function bootVolumeOf({ bootVolume }: IBMMachineSpec): LaunchAs['boot_volume_attachment'] {
  const { profile = 'general-purpose', sizeGiB, iops, encryptionKeyCRN: crn } = bootVolume ?? {}
  return {
    delete_volume_on_instance_delete: true,
    volume: {
      profile: { name: profile },
      ...(sizeGiB === undefined ? {} : { capacity: sizeGiB }),
      ...(iops === undefined ? {} : { iops }),
      ...(crn === undefined ? {} : { encryption_key: { crn } }),
    },
  }
}
