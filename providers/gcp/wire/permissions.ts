import type { Permissions } from '../../permissions.ts'
import type { GceAction } from './buckets.ts'

/** The permissions of a role for each call. */
export const permissions: Permissions<GceAction> = {
  calls: {
    'instances.insert': [
      'compute.disks.create',
      'compute.images.useReadOnly',
      'compute.instances.create',
      'compute.instances.setLabels',
      'compute.instances.setMetadata',
      'compute.subnetworks.use',
    ],
    'instances.delete': ['compute.instances.delete'],
    'instances.get': ['compute.instances.get'],
    'instances.aggregatedList': ['compute.instances.list'],
    'globalOperations.aggregatedList': ['compute.globalOperations.list', 'compute.zoneOperations.list'],
    'machineTypes.aggregatedList': ['compute.machineTypes.list'],
    'regions.get': ['compute.regions.get'],
  },
  besides: [
    { when: '`additionalNetworkTags` is set', needs: ['compute.instances.setTags'] },
    { when: '`publicIP` is true', needs: ['compute.subnetworks.useExternalIp'] },
    {
      when: '`serviceAccounts` is set',
      needs: ['compute.instances.setServiceAccount', 'iam.serviceAccounts.actAs'],
    },
    { when: 'an `image` is in another project', needs: ['compute.images.useReadOnly in that project'] },
  ],
}
