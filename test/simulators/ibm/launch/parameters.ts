import { byId, byName, byReference } from '../ids.ts'
import {
  boolean,
  each,
  integerIn,
  list,
  required,
  structure,
  text,
  unplayed,
  word,
  type Values,
} from '../../kit/http/schema.ts'

const primaryIp = structure({ id: text, href: text, address: text, auto_delete: boolean, name: text })

/** What a virtual network interface is to be. */
export const virtualInterfaceFields = {
  name: text,
  subnet: byReference,
  security_groups: list(byReference),
  primary_ip: primaryIp,
  ips: unplayed,
  allow_ip_spoofing: boolean,
  auto_delete: boolean,
  enable_infrastructure_nat: boolean,
  protocol_state_filtering_mode: word('auto', 'enabled', 'disabled'),
  resource_group: byId,
} as const

/** Either one that is there, or what it is to be. */
const virtualInterface = structure({ ...virtualInterfaceFields, id: text, crn: text, href: text })

const networkAttachment = structure({ name: text, virtual_network_interface: required(virtualInterface) })

const networkInterface = structure({
  name: text,
  subnet: required(byReference),
  security_groups: list(byReference),
  primary_ip: primaryIp,
  allow_ip_spoofing: boolean,
})

const volume = {
  name: text,
  profile: required(byName),
  capacity: integerIn(1, 64_000),
  iops: integerIn(100, 1_000_000),
  bandwidth: integerIn(1, 100_000),
  encryption_key: structure({ crn: required(text) }),
  resource_group: byId,
  user_tags: list(text),
  allowed_use: unplayed,
} as const

export const reservationAffinity = structure({
  policy: word('automatic', 'disabled', 'manual'),
  pool: list(byReference),
})

export const metadataService = structure({
  enabled: boolean,
  protocol: word('http', 'https'),
  response_hop_limit: integerIn(1, 64),
})

/** Every field that IBM knows in a request for an instance. */
export const createInstanceFields = {
  name: text,
  zone: required(byName),
  image: byReference,
  profile: byName,
  vpc: byReference,
  resource_group: byId,
  keys: list({ kind: 'identity', by: ['id', 'crn', 'href', 'fingerprint'] } as const),
  user_data: text,
  availability: structure({ class: word('spot', 'standard') }),
  availability_policy: structure({ host_failure: word('restart', 'stop'), preemption: word('delete', 'stop') }),
  reservation_affinity: reservationAffinity,
  placement_target: byReference,
  metadata_service: metadataService,
  primary_network_attachment: networkAttachment,
  network_attachments: list(networkAttachment),
  primary_network_interface: networkInterface,
  network_interfaces: list(networkInterface),
  boot_volume_attachment: structure({
    name: text,
    delete_volume_on_instance_delete: boolean,
    volume: required(structure({ ...volume, source_snapshot: unplayed })),
  }),
  volume_attachments: list(
    structure({
      name: text,
      delete_volume_on_instance_delete: boolean,
      volume: required(
        structure({ ...volume, source_snapshot: unplayed, id: unplayed, crn: unplayed, href: unplayed }),
      ),
    }),
  ),
  default_trusted_profile: structure({
    target: required({ kind: 'identity', by: ['id', 'crn'] } as const),
    auto_link: boolean,
  }),
  enable_secure_boot: boolean,
  confidential_compute_mode: word('disabled', 'sgx', 'tdx'),
  total_volume_bandwidth: integerIn(500, 200_000),
  volume_bandwidth_qos_mode: word('pooled', 'weighted'),
  vcpu: structure({ percentage: integerIn(1, 100) }),
  threads_per_core: integerIn(1, 2),
  ...each(unplayed, 'catalog_offering cluster_network_attachments source_template'),
} as const

export type CreateInstanceValues = Values<typeof createInstanceFields>
export type VirtualInterfaceValues = Values<typeof virtualInterfaceFields>
export type NetworkInterfaceValues = NonNullable<CreateInstanceValues['primary_network_interface']>
export type NetworkAttachmentValues = NonNullable<CreateInstanceValues['primary_network_attachment']>
