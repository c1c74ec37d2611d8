import type { Permissions } from '../../permissions.ts'
import type { ArmAction } from './actions.ts'

/** The actions of a role for each call. */
export const permissions: Permissions<ArmAction> = {
  calls: {
    VirtualMachines_CreateOrUpdate: [
      'Microsoft.Compute/virtualMachines/write',
      'Microsoft.Compute/disks/write',
      'Microsoft.Network/networkInterfaces/join/action',
    ],
    VirtualMachines_Get: ['Microsoft.Compute/virtualMachines/read'],
    VirtualMachines_Delete: ['Microsoft.Compute/virtualMachines/delete'],
    VirtualMachines_ListAll: ['Microsoft.Compute/virtualMachines/read'],
    VirtualMachineExtensions_CreateOrUpdate: ['Microsoft.Compute/virtualMachines/extensions/write'],
    VirtualMachineExtensions_List: ['Microsoft.Compute/virtualMachines/extensions/read'],
    NetworkInterfaces_CreateOrUpdate: [
      'Microsoft.Network/networkInterfaces/write',
      'Microsoft.Network/virtualNetworks/subnets/join/action',
    ],
    NetworkInterfaces_Get: ['Microsoft.Network/networkInterfaces/read'],
    NetworkInterfaces_Delete: ['Microsoft.Network/networkInterfaces/delete'],
    NetworkInterfaces_ListAll: ['Microsoft.Network/networkInterfaces/read'],
    Disks_List: ['Microsoft.Compute/disks/read'],
    Disks_ListByResourceGroup: ['Microsoft.Compute/disks/read'],
    Disks_Delete: ['Microsoft.Compute/disks/delete'],
    ResourceSkus_List: ['Microsoft.Compute/skus/read'],
  },
  besides: [
    { when: '`image.id` names an image', needs: ['Microsoft.Compute/images/read'] },
    {
      when: '`image` names a version in a compute gallery of yours',
      needs: ['Microsoft.Compute/galleries/images/read', 'Microsoft.Compute/galleries/images/versions/read'],
    },
    {
      when: '`identity` is UserAssigned',
      needs: ['Microsoft.ManagedIdentity/userAssignedIdentities/assign/action'],
    },
    {
      when: '`capacityReservationGroupID` is set',
      needs: ['Microsoft.Compute/capacityReservationGroups/deploy/action'],
    },
    { when: 'a disk has a `diskEncryptionSet`', needs: ['Microsoft.Compute/diskEncryptionSets/read'] },
  ],
}
