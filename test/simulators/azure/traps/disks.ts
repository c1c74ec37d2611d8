import type { VirtualMachine } from '@azure/arm-compute'
import { osDisk, over, storage, trapsOf } from './trap.ts'

type DataDisk = NonNullable<NonNullable<VirtualMachine['storageProfile']>['dataDisks']>[number]

const empty = (said: Partial<DataDisk> = {}): DataDisk => ({
  lun: 0,
  createOption: 'Empty',
  diskSizeGB: 32,
  ...said,
})
const { diskSizeGB: _, ...sizeless } = empty()

/** Disks that a machine cannot have. */
export const disks = trapsOf({
  InvalidParameter: [
    ['no OS disk', storage({ osDisk: undefined } as never), "Required parameter 'osDisk' is missing (null)."],
    ['an OS disk larger than there is', osDisk({ diskSizeGB: 5000 }), 'osDisk.diskSizeGB'],
    [
      'a data disk of the fastest kind, without saying that there is one',
      storage({ dataDisks: [empty({ managedDisk: { storageAccountType: 'UltraSSD_LRS' } })] }),
      'additionalCapabilities.ultraSSDEnabled',
    ],
    [
      'a disk on the host that is not cached for reading',
      (usual) =>
        over({ evictionPolicy: 'Delete', hardwareProfile: { vmSize: 'Standard_D2ds_v5' } })(
          osDisk({ diffDiskSettings: { option: 'Local' } })(usual),
        ),
      'ReadOnly',
    ],
    ['two disks at one place', storage({ dataDisks: [empty({ name: 'a' }), empty({ name: 'b' })] }), 'LUN 0'],
    ['a disk at a place that is none', storage({ dataDisks: [empty({ lun: 64 })] }), "'64'"],
    ['a disk without a size', storage({ dataDisks: [sizeless] }), 'dataDisk.diskSizeGB'],
    [
      'a disk larger than there are',
      storage({ dataDisks: [empty({ diskSizeGB: 32_768 })] }),
      "'32768' of parameter 'dataDisk.diskSizeGB'",
    ],
    ['a disk whose name is none', storage({ dataDisks: [empty({ name: 'a/b' })] }), "'a/b' is invalid"],
  ],
  BadRequest: [
    [
      'an OS disk smaller than its image',
      osDisk({ diskSizeGB: 8 }),
      'smaller than the size of the corresponding disk in the VM image: 30 GB',
    ],
    ['an OS disk of the fastest kind', osDisk({ managedDisk: { storageAccountType: 'UltraSSD_LRS' } }), 'UltraSSD_LRS'],
    [
      'a kind of disk that is none',
      osDisk({ managedDisk: { storageAccountType: 'Floppy_LRS' } }),
      'StorageAccountTypes',
    ],
    [
      'two disks of one name',
      storage({ dataDisks: [empty({ name: 'twin' }), empty({ name: 'Twin', lun: 1 })] }),
      "'twin' is used more than once",
    ],
  ],
  NotSupported: [
    [
      'a disk on a host that has none',
      (usual) =>
        over({ evictionPolicy: 'Delete' })(
          osDisk({ diffDiskSettings: { option: 'Local' }, caching: 'ReadOnly' })(usual),
        ),
      'greater than 0 GB is not allowed for VM size Standard_D2s_v5',
    ],
  ],
  OperationNotAllowed: [
    [
      'more disks than the size takes',
      storage({ dataDisks: [0, 1, 2, 3, 4].map((lun) => empty({ lun })) }),
      'this size is 4',
      409,
    ],
  ],
})
