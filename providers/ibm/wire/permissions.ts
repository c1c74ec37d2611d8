import type { Permissions } from '../../permissions.ts'
import type { VpcAction } from './buckets.ts'

/** The actions of IAM for each call. */
export const permissions: Permissions<VpcAction | 'get_token'> = {
  calls: {
    create_instance: [
      'is.image.image.operate',
      'is.instance.instance.create',
      'is.key.key.operate',
      'is.security-group.security-group.operate',
      'is.subnet.subnet.operate',
      'is.volume.volume.create',
      'is.vpc.vpc.operate',
    ],
    delete_instance: ['is.instance.instance.delete', 'is.volume.volume.delete'],
    get_instance: ['is.instance.instance.read'],
    list_instances: ['is.instance.instance.read'],
    // Needs no permission: the catalogue is public.
    get_instance_profile: [],
    get_image: ['is.image.image.read'],
    list_images: ['is.image.image.read'],
    get_subnet: ['is.subnet.subnet.read'],
    list_keys: ['is.key.key.read'],
    list_security_groups: ['is.security-group.security-group.read'],
    get_token: [],
  },
  besides: [
    { when: '`resourceGroup` is set on the IBMCluster', needs: ['Viewer of that resource group'] },
    { when: '`placementTarget` is a placement group', needs: ['is.placement-group.placement-group.operate'] },
    { when: '`placementTarget` is a dedicated host', needs: ['is.dedicated-host.dedicated-host.operate'] },
    { when: '`reservationAffinity` names a reservation', needs: ['is.reservation.reservation.operate'] },
    {
      when: '`bootVolume.encryptionKeyCRN` is set',
      needs: ['Reader of that key, granted to the block storage service'],
    },
  ],
}
