import type { CloudError } from '../../../api/cloud-error.ts'
import { bootstrapData, failureDomain, fieldsOf, naming, ofSpecs } from '../../shared/fields.ts'

const machine = fieldsOf('IBMMachine')
const cluster = fieldsOf('IBMCluster')
const subnets = `${machine('primaryNetworkInterface.subnet')}, ${cluster('network.workerSubnets')}`
const groups = `${machine('primaryNetworkInterface.securityGroups')}, ${cluster('network.securityGroups')}`
const reservation = machine('reservationAffinity')

/** By IBM's code, for codes that can only mean these fields. */
const byCode: Readonly<Record<string, string>> = {
  invalid_profile_error: machine('profile'),
  invalid_security_group_id: groups,
  invalid_zone: `${subnets}, ${failureDomain}`,
  instance_too_many_keys: machine('sshKeys'),
  subnet_unknown_state: subnets,
  vpc_resource_separation: `${cluster('network')}, ${machine('primaryNetworkInterface')}`,
  encryption_key_deleted: machine('bootVolume.encryptionKeyCRN'),
  reservation_capacity_unavailable: reservation,
  cannot_start_reservation_capacity: reservation,
  cannot_start_reservation_expired: reservation,
}

/** By the property in IBM's message, the first row that fits. */
const byMessage: readonly (readonly [RegExp, string])[] = [
  [/user[_ ]data|bootstrap data/i, bootstrapData],
  [/encryption_?key/i, machine('bootVolume.encryptionKeyCRN')],
  [/\bvolumes?\b|boot_volume|\biops\b/i, machine('bootVolume')],
  [/reservation/i, reservation],
  [/availability_policy/i, machine('availabilityPolicy')],
  [/availability/i, machine('availability', 'profile')],
  [/placement|dedicated[_ ]host/i, machine('placementTarget')],
  [/metadata_service/i, machine('metadataService')],
  [/security[_ ]groups?/i, groups],
  [/resource[_ ]group/i, cluster('resourceGroup')],
  [/profile.*\bimage|image.*\bprofile/i, machine('profile', 'image')],
  [/\bkeys?\b/i, machine('sshKeys')],
  [/\bimages?\b/i, machine('image')],
  [/\bprofiles?\b/i, machine('profile')],
  [/subnets?\b|network_interface/i, subnets],
  [/\bvpc\b/i, cluster('network.vpc')],
  [/\bzones?\b/i, `${subnets}, ${failureDomain}`],
]

/** The same refusal, with our names of the fields before IBM Cloud's own words. */
export const withFields: (error: CloudError) => CloudError = naming({ kinds: ofSpecs, byCode, byMessage })
