import {
  attached,
  group,
  otherVpc,
  otherVpcGroup,
  otherVpcSubnet,
  own,
  zone1Subnet,
  zone2Subnet,
  trapsOf,
} from './trap.ts'

const vni = 'primary_network_attachment.virtual_network_interface'
const none = { primary_network_attachment: undefined }

/** What instances cannot be connected to, and how they cannot. */
export const network = trapsOf({
  bad_field: [
    ['neither form of interface', none, 'primary_network_attachment'],
    ['both forms of interface', own, 'primary_network_attachment'],
    ['the forms mixed', { network_interfaces: [{ subnet: { id: zone1Subnet } }] }, 'primary_network_attachment'],
    ['the old form with attachments', { ...none, ...own, network_attachments: [] }, 'primary_network_attachment'],
    ['an interface without a subnet', attached({ subnet: undefined }), `${vni}.subnet`],
    ['an interface that is there already, and what it is to be', attached({ id: '0717-x' }), vni],
    [
      'an interface that is not there',
      { primary_network_attachment: { virtual_network_interface: { id: '0717-x' } } },
      `${vni}.id`,
    ],
    [
      'an address outside of the subnet',
      attached({ primary_ip: { address: '10.9.9.9' } }),
      `${vni}.primary_ip.address`,
    ],
    [
      'one address twice',
      {
        ...attached({ primary_ip: { address: '10.240.0.88' } }),
        network_attachments: [
          { virtual_network_interface: { subnet: { id: zone1Subnet }, primary_ip: { address: '10.240.0.88' } } },
        ],
      },
      'network_attachments',
    ],
  ],
  validation_required_field: [
    ['an attachment without an interface', { primary_network_attachment: { name: 'eth0' } }, vni],
  ],
  invalid_zone: [['a subnet in another zone', attached({ subnet: { id: zone2Subnet } }), 'zone.name']],
  vpc_resource_separation: [
    ['a network that is not that of the subnet', { vpc: { id: otherVpc } }, 'vpc'],
    [
      'subnets in two networks',
      {
        vpc: undefined,
        network_attachments: [{ virtual_network_interface: { subnet: { id: otherVpcSubnet } } }],
      },
    ],
    ['a security group of another network', attached({ security_groups: [{ id: group }, { id: otherVpcGroup }] })],
  ],
  validation_invalid_address: [
    ['an address that is none', attached({ primary_ip: { address: '10.240.0' } }), `${vni}.primary_ip.address`],
  ],
  address_is_already_reserved: [
    ['an address that is taken', attached({ primary_ip: { address: '10.240.0.77' } }), `${vni}.primary_ip.address`],
  ],
})
