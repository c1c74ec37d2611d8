import type { VirtualMachine } from '@azure/arm-compute'
import { osDisk, over, storage, type Trap } from './trap.ts'

type DataDisk = NonNullable<NonNullable<VirtualMachine['storageProfile']>['dataDisks']>[number]

const empty = (said: Partial<DataDisk> = {}): DataDisk => ({
  lun: 0,
  createOption: 'Empty',
  diskSizeGB: 32,
  ...said,
})
const { diskSizeGB: _, ...sizeless } = empty()

/** Disks that a machine cannot have. */
export const disks: readonly Trap[] = [
  {
    trap: 'no OS disk',
    said: storage({ osDisk: undefined } as never),
    code: 'InvalidParameter',
    message: "Required parameter 'osDisk' is missing (null).",
  },
  {
    trap: 'an OS disk smaller than its image',
    said: osDisk({ diskSizeGB: 8 }),
    code: 'BadRequest',
    message: 'smaller than the size of the corresponding disk in the VM image: 30 GB',
  },
  {
    trap: 'an OS disk larger than there is',
    said: osDisk({ diskSizeGB: 5000 }),
    code: 'InvalidParameter',
    message: 'osDisk.diskSizeGB',
  },
  {
    trap: 'an OS disk of the fastest kind',
    said: osDisk({ managedDisk: { storageAccountType: 'UltraSSD_LRS' } }),
    code: 'BadRequest',
    message: 'UltraSSD_LRS',
  },
  {
    trap: 'a data disk of the fastest kind, without saying that there is one',
    said: storage({ dataDisks: [empty({ managedDisk: { storageAccountType: 'UltraSSD_LRS' } })] }),
    code: 'InvalidParameter',
    message: 'additionalCapabilities.ultraSSDEnabled',
  },
  {
    trap: 'a kind of disk that is none',
    said: osDisk({ managedDisk: { storageAccountType: 'Floppy_LRS' } }),
    code: 'BadRequest',
    message: 'StorageAccountTypes',
  },
  {
    trap: 'a disk on a host that has none',
    said: (usual) =>
      over({ evictionPolicy: 'Delete' })(osDisk({ diffDiskSettings: { option: 'Local' }, caching: 'ReadOnly' })(usual)),
    code: 'NotSupported',
    message: 'greater than 0 GB is not allowed for VM size Standard_D2s_v5',
  },
  {
    trap: 'a disk on the host that is not cached for reading',
    said: (usual) =>
      over({ evictionPolicy: 'Delete', hardwareProfile: { vmSize: 'Standard_D2ds_v5' } })(
        osDisk({ diffDiskSettings: { option: 'Local' } })(usual),
      ),
    code: 'InvalidParameter',
    message: 'ReadOnly',
  },
  {
    trap: 'two disks of one name',
    said: storage({ dataDisks: [empty({ name: 'twin' }), empty({ name: 'Twin', lun: 1 })] }),
    code: 'BadRequest',
    message: "'twin' is used more than once",
  },
  {
    trap: 'two disks at one place',
    said: storage({ dataDisks: [empty({ name: 'a' }), empty({ name: 'b' })] }),
    code: 'InvalidParameter',
    message: 'LUN 0',
  },
  {
    trap: 'a disk at a place that is none',
    said: storage({ dataDisks: [empty({ lun: 64 })] }),
    code: 'InvalidParameter',
    message: "'64'",
  },
  {
    trap: 'a disk without a size',
    said: storage({ dataDisks: [sizeless] }),
    code: 'InvalidParameter',
    message: 'dataDisk.diskSizeGB',
  },
  {
    trap: 'a disk larger than there are',
    said: storage({ dataDisks: [empty({ diskSizeGB: 32_768 })] }),
    code: 'InvalidParameter',
    message: "'32768' of parameter 'dataDisk.diskSizeGB'",
  },
  {
    trap: 'a disk whose name is none',
    said: storage({ dataDisks: [empty({ name: 'a/b' })] }),
    code: 'InvalidParameter',
    message: "'a/b' is invalid",
  },
  {
    trap: 'more disks than the size takes',
    said: storage({ dataDisks: [0, 1, 2, 3, 4].map((lun) => empty({ lun })) }),
    code: 'OperationNotAllowed',
    status: 409,
    message: 'this size is 4',
  },
]
