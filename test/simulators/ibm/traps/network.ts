import {
  attached,
  group,
  otherVpc,
  otherVpcGroup,
  otherVpcSubnet,
  own,
  zone1Subnet,
  zone2Subnet,
  type Trap,
} from './trap.ts'

const vni = 'primary_network_attachment.virtual_network_interface'
const none = { primary_network_attachment: undefined }

/** What instances cannot be connected to, and how they cannot. */
export const network: readonly Trap[] = [
  { trap: 'neither form of interface', said: none, code: 'bad_field', target: 'primary_network_attachment' },
  { trap: 'both forms of interface', said: own, code: 'bad_field', target: 'primary_network_attachment' },
  {
    trap: 'the forms mixed',
    said: { network_interfaces: [{ subnet: { id: zone1Subnet } }] },
    code: 'bad_field',
    target: 'primary_network_attachment',
  },
  {
    trap: 'the old form with attachments',
    said: { ...none, ...own, network_attachments: [] },
    code: 'bad_field',
    target: 'primary_network_attachment',
  },
  {
    trap: 'an attachment without an interface',
    said: { primary_network_attachment: { name: 'eth0' } },
    code: 'validation_required_field',
    target: vni,
  },
  {
    trap: 'an interface without a subnet',
    said: attached({ subnet: undefined }),
    code: 'bad_field',
    target: `${vni}.subnet`,
  },
  {
    trap: 'an interface that is there already, and what it is to be',
    said: attached({ id: '0717-x' }),
    code: 'bad_field',
    target: vni,
  },
  {
    trap: 'an interface that is not there',
    said: { primary_network_attachment: { virtual_network_interface: { id: '0717-x' } } },
    code: 'bad_field',
    target: `${vni}.id`,
  },
  {
    trap: 'a subnet in another zone',
    said: attached({ subnet: { id: zone2Subnet } }),
    code: 'invalid_zone',
    target: 'zone.name',
  },
  {
    trap: 'a network that is not that of the subnet',
    said: { vpc: { id: otherVpc } },
    code: 'vpc_resource_separation',
    target: 'vpc',
  },
  {
    trap: 'subnets in two networks',
    said: {
      vpc: undefined,
      network_attachments: [{ virtual_network_interface: { subnet: { id: otherVpcSubnet } } }],
    },
    code: 'vpc_resource_separation',
  },
  {
    trap: 'a security group of another network',
    said: attached({ security_groups: [{ id: group }, { id: otherVpcGroup }] }),
    code: 'vpc_resource_separation',
  },
  {
    trap: 'an address outside of the subnet',
    said: attached({ primary_ip: { address: '10.9.9.9' } }),
    code: 'bad_field',
    target: `${vni}.primary_ip.address`,
  },
  {
    trap: 'an address that is none',
    said: attached({ primary_ip: { address: '10.240.0' } }),
    code: 'validation_invalid_address',
    target: `${vni}.primary_ip.address`,
  },
  {
    trap: 'an address that is taken',
    said: attached({ primary_ip: { address: '10.240.0.77' } }),
    code: 'address_is_already_reserved',
    target: `${vni}.primary_ip.address`,
  },
  {
    trap: 'one address twice',
    said: {
      ...attached({ primary_ip: { address: '10.240.0.88' } }),
      network_attachments: [
        { virtual_network_interface: { subnet: { id: zone1Subnet }, primary_ip: { address: '10.240.0.88' } } },
      ],
    },
    code: 'bad_field',
    target: 'network_attachments',
  },
]
