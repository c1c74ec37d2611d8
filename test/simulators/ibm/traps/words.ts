import { attached, trapsOf } from './trap.ts'

/** Words and numbers that IBM does not take. */
export const words = trapsOf({
  bad_field: [
    ['an availability class that there is not', { availability: { class: 'cheap' } }, 'availability.class'],
    [
      'a policy for preemptions that there is not',
      { availability_policy: { preemption: 'hibernate' } },
      'availability_policy.preemption',
    ],
    [
      'a policy for lost hosts that there is not',
      { availability_policy: { host_failure: 'migrate' } },
      'availability_policy.host_failure',
    ],
    [
      'a policy for reservations that there is not',
      { reservation_affinity: { policy: 'never' } },
      'reservation_affinity.policy',
    ],
    ['a protocol that there is not', { metadata_service: { protocol: 'ftp' } }, 'metadata_service.protocol'],
    [
      'a way of filtering that there is not',
      attached({ protocol_state_filtering_mode: 'on' }),
      'primary_network_attachment.virtual_network_interface.protocol_state_filtering_mode',
    ],
    ['user data of more than 64 KB', { user_data: 'ä'.repeat(32_769) }, 'user_data'],
  ],
  validation_max_value: [
    ['a hop limit of 65', { metadata_service: { response_hop_limit: 65 } }, 'metadata_service.response_hop_limit'],
  ],
  validation_min_value: [
    ['a hop limit of 0', { metadata_service: { response_hop_limit: 0 } }, 'metadata_service.response_hop_limit'],
  ],
  validation_invalid_field_type: [
    ['a name that is a number', { name: 7 }, 'name'],
    ['nothing for a name', { name: null }, 'name'],
    ['a truth that is a text', { metadata_service: { enabled: 'yes' } }, 'metadata_service.enabled'],
    [
      'a number that is not whole',
      { metadata_service: { response_hop_limit: 1.5 } },
      'metadata_service.response_hop_limit',
    ],
    ['one key instead of a list', { keys: {} }, 'keys'],
  ],
  invalid_request_field: [
    [
      'a field that there is not, deep inside',
      attached({ subnets: [] }),
      'primary_network_attachment.virtual_network_interface.subnets',
    ],
  ],
  not_simulated: [
    ['what is not simulated, and says so', { catalog_offering: { offering: { crn: 'crn:v1' } } }, undefined, 501],
  ],
})
