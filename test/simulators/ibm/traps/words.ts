import { attached, type Trap } from './trap.ts'

const field = (trap: string, said: object, target: string): Trap => ({ trap, said, code: 'bad_field', target })

/** Words and numbers that IBM does not take. */
export const words: readonly Trap[] = [
  field('an availability class that there is not', { availability: { class: 'cheap' } }, 'availability.class'),
  field(
    'a policy for preemptions that there is not',
    { availability_policy: { preemption: 'hibernate' } },
    'availability_policy.preemption',
  ),
  field(
    'a policy for lost hosts that there is not',
    { availability_policy: { host_failure: 'migrate' } },
    'availability_policy.host_failure',
  ),
  field(
    'a policy for reservations that there is not',
    { reservation_affinity: { policy: 'never' } },
    'reservation_affinity.policy',
  ),
  field('a protocol that there is not', { metadata_service: { protocol: 'ftp' } }, 'metadata_service.protocol'),
  field(
    'a way of filtering that there is not',
    attached({ protocol_state_filtering_mode: 'on' }),
    'primary_network_attachment.virtual_network_interface.protocol_state_filtering_mode',
  ),
  {
    trap: 'a hop limit of 65',
    said: { metadata_service: { response_hop_limit: 65 } },
    code: 'validation_max_value',
    target: 'metadata_service.response_hop_limit',
  },
  {
    trap: 'a hop limit of 0',
    said: { metadata_service: { response_hop_limit: 0 } },
    code: 'validation_min_value',
    target: 'metadata_service.response_hop_limit',
  },
  { trap: 'a name that is a number', said: { name: 7 }, code: 'validation_invalid_field_type', target: 'name' },
  { trap: 'nothing for a name', said: { name: null }, code: 'validation_invalid_field_type', target: 'name' },
  {
    trap: 'a truth that is a text',
    said: { metadata_service: { enabled: 'yes' } },
    code: 'validation_invalid_field_type',
    target: 'metadata_service.enabled',
  },
  {
    trap: 'a number that is not whole',
    said: { metadata_service: { response_hop_limit: 1.5 } },
    code: 'validation_invalid_field_type',
    target: 'metadata_service.response_hop_limit',
  },
  { trap: 'one key instead of a list', said: { keys: {} }, code: 'validation_invalid_field_type', target: 'keys' },
  {
    trap: 'a field that there is not, deep inside',
    said: attached({ subnets: [] }),
    code: 'invalid_request_field',
    target: 'primary_network_attachment.virtual_network_interface.subnets',
  },
  field('user data of more than 64 KB', { user_data: 'ä'.repeat(32_769) }, 'user_data'),
  {
    trap: 'what is not simulated, and says so',
    said: { catalog_offering: { offering: { crn: 'crn:v1' } } },
    code: 'not_simulated',
    status: 501,
  },
]
