import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'
import type { AzureRequest } from './request.ts'

type Given = NonNullable<AzureMachineSpec['osDisk']>

/** The disk that it boots from. Its name and its end follow from the machine. */
export function osDiskOf({ osDisk = {} }: AzureMachineSpec): AzureRequest['machine']['osDisk'] {
  const { diskSizeGB, managedDisk, diffDiskSettings, cachingType } = osDisk
  return {
    osType: 'Linux',
    caching: cachingType ?? (diffDiskSettings ? 'ReadOnly' : 'None'),
    ...(diskSizeGB === undefined ? {} : { diskSizeGB }),
    ...keptOn(managedDisk),
    ...(diffDiskSettings ? { diffDiskSettings: { ...diffDiskSettings } } : {}),
  }
}

export function dataDisksOf({ dataDisks = [] }: AzureMachineSpec): AzureRequest['machine']['dataDisks'] {
  return dataDisks.map(({ nameSuffix, diskSizeGB, lun, cachingType, managedDisk }, at) => ({
    suffix: nameSuffix,
    lun: lun ?? at,
    diskSizeGB,
    caching: cachingType ?? 'ReadWrite',
    ...keptOn(managedDisk),
  }))
}

function keptOn(managedDisk: Given['managedDisk']): { managedDisk?: object } {
  return managedDisk ? { managedDisk: { ...managedDisk } } : {}
}
