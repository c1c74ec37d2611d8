import type { Account } from '../account.ts'
import { ArmError, badRequest, invalidParameter, notSimulated } from '../http/errors.ts'
import { idOf, types } from '../ids.ts'
import type { DiskPlan } from '../instances/instance.ts'
import type { InstanceType } from '../supply/instance-types.ts'
import type { Image } from '../world.ts'
import type { VirtualMachineProperties } from './fields.ts'

interface Of {
  readonly resourceGroup: string
  readonly vm: string
  readonly type: InstanceType
  readonly image: Image
}

type StorageProfile = VirtualMachineProperties['storageProfile']
type OsDisk = NonNullable<StorageProfile['osDisk']>
type DataDisk = NonNullable<StorageProfile['dataDisks']>[number]

/** The disks that a machine brings. */
export function checkDisks(
  { storageProfile, additionalCapabilities }: VirtualMachineProperties,
  of: Of,
  account: Account,
): { osDisk: DiskPlan; dataDisks: readonly DiskPlan[] } {
  if (!storageProfile.osDisk) throw invalidParameter("Required parameter 'osDisk' is missing (null).", 'osDisk')
  const osDisk = checkOsDisk(storageProfile.osDisk, of, account)
  const dataDisks = checkDataDisks(storageProfile.dataDisks ?? [], of, account)
  if (additionalCapabilities?.ultraSSDEnabled !== true && dataDisks.some(({ sku }) => sku === 'UltraSSD_LRS')) {
    throw invalidParameter(
      "StorageAccountType UltraSSD_LRS can be used only when additionalCapabilities.ultraSSDEnabled is set to 'true'.",
      'managedDisk.storageAccountType',
    )
  }
  checkNames([osDisk, ...dataDisks], of, account)
  return { osDisk, dataDisks }
}

function checkOsDisk(given: OsDisk, of: Of, { world }: Account): DiskPlan {
  if (given.createOption !== 'FromImage') throw notSimulated(`an OS disk with createOption ${given.createOption}`)
  const { type, image, resourceGroup, vm } = of
  const sizeGB = given.diskSizeGB ?? image.sizeGB
  if (sizeGB < image.sizeGB) {
    throw badRequest(
      `The specified disk size ${sizeGB} GB is smaller than the size of the corresponding disk in the VM image: ` +
        `${image.sizeGB} GB. This is not allowed. Please choose equal or greater size or do not specify an explicit size.`,
      'osDisk.diskSizeGB',
    )
  }
  if (sizeGB > 4095)
    throw invalidParameter("The value of parameter 'osDisk.diskSizeGB' is invalid.", 'osDisk.diskSizeGB')
  if (given.managedDisk?.storageAccountType === 'UltraSSD_LRS') {
    throw badRequest("The storage account type 'UltraSSD_LRS' is not supported for OS disks.", 'osDisk.managedDisk')
  }
  if (given.diffDiskSettings) checkEphemeral(given, type, sizeGB)
  const name = given.name ?? `${vm}_OsDisk_1`
  return {
    id: idOf({ subscription: world.subscription, resourceGroup, type: types.disk, name }),
    name,
    sizeGB,
    sku: given.managedDisk?.storageAccountType ?? 'Standard_LRS',
    deleteOption: given.deleteOption ?? 'Detach',
    lun: undefined,
    isEphemeral: given.diffDiskSettings !== undefined,
  }
}

function checkEphemeral({ caching }: OsDisk, type: InstanceType, sizeGB: number): void {
  if (type.ephemeralDiskGB === undefined || sizeGB > type.ephemeralDiskGB) {
    throw new ArmError(
      'NotSupported',
      `OS disk of Ephemeral VM with size greater than ${type.ephemeralDiskGB ?? 0} GB is not allowed for VM size ` +
        `${type.name}. Please refer to https://aka.ms/Ephemeral for more details.`,
    )
  }
  if (caching === 'ReadOnly') return
  throw invalidParameter('Ephemeral OS disks support only the caching type ReadOnly.', 'osDisk.caching')
}

function checkDataDisks(given: readonly DataDisk[], of: Of, account: Account): readonly DiskPlan[] {
  if (given.length > of.type.dataDisks) {
    throw new ArmError(
      'OperationNotAllowed',
      `The maximum number of data disks allowed to be attached to a VM of this size is ${of.type.dataDisks}.`,
      { target: 'dataDisks' },
    )
  }
  const luns = given.map(({ lun }) => lun)
  const twice = luns.find((lun, at) => luns.indexOf(lun) < at)
  if (twice !== undefined) {
    throw invalidParameter(
      `A disk at LUN ${twice} already exists: logical unit numbers must be unique.`,
      'dataDisk.lun',
    )
  }
  return given.map((disk) => checkDataDisk(disk, of, account))
}

function checkDataDisk(given: DataDisk, { resourceGroup, vm }: Of, { world }: Account): DiskPlan {
  const { lun, createOption, diskSizeGB: sizeGB } = given
  if (createOption !== 'Empty') throw notSimulated(`a data disk with createOption ${createOption}`)
  if (lun < 0 || lun > 63) {
    throw invalidParameter(`The value '${lun}' of parameter 'dataDisk.lun' is out of range: 0 to 63.`, 'dataDisk.lun')
  }
  if (sizeGB === undefined || sizeGB < 1 || sizeGB > 32_767) {
    throw invalidParameter(
      `The value '${sizeGB ?? ''}' of parameter 'dataDisk.diskSizeGB' is invalid.`,
      'dataDisk.diskSizeGB',
    )
  }
  const name = given.name ?? `${vm}_disk${lun + 2}`
  return {
    id: idOf({ subscription: world.subscription, resourceGroup, type: types.disk, name }),
    name,
    sizeGB,
    sku: given.managedDisk?.storageAccountType ?? 'Standard_LRS',
    deleteOption: given.deleteOption ?? 'Detach',
    lun,
    isEphemeral: false,
  }
}

function checkNames(disks: readonly DiskPlan[], { resourceGroup }: Of, account: Account): void {
  const names = disks.map(({ name }) => name.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) {
    throw badRequest(`The disk name '${twice}' is used more than once in the storage profile.`, 'dataDisk.name')
  }
  const wrong = disks.find(({ name }) => !/^[a-z0-9_]([a-z0-9._-]{0,78}[a-z0-9_])?$/i.test(name))
  if (wrong) {
    throw new ArmError(
      'InvalidParameter',
      `The entity name '${wrong.name}' is invalid according to its validation rule.`,
      {
        target: 'disk.name',
      },
    )
  }
  const taken = disks.find(({ id, isEphemeral }) => !isEphemeral && account.disks.get(id))
  if (!taken) return
  throw new ArmError(
    'ConflictingUserInput',
    `Disk '${taken.name}' already exists in resource group '${resourceGroup.toUpperCase()}'. Only CreateOption.Attach ` +
      'is supported.',
    { target: taken.id },
  )
}
