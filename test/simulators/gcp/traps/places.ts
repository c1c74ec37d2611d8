import { nic, subnetwork, trapsOf } from './trap.ts'

const field = (name: string) => `Invalid value for field 'resource.networkInterfaces[0].${name}'`

/** Where an instance goes: subnetworks, networks, addresses. */
export const places = trapsOf({
  invalid: [
    ['no network interface', { networkInterfaces: [] }, 'At least one network interface is required.'],
    [
      'two network interfaces in one network',
      { networkInterfaces: [{ subnetwork }, { subnetwork }] },
      'Networks must be distinct for NICs attached to a VM.',
    ],
    [
      'a subnetwork that is not there',
      nic({ subnetwork: 'regions/us-central1/subnetworks/gone' }),
      `${field('subnetwork')}: 'regions/us-central1/subnetworks/gone'. The referenced subnetwork resource cannot`,
    ],
    [
      "somebody else's subnetwork",
      nic({ subnetwork: subnetwork.replace('spot-simulated', 'other') }),
      'The referenced subnetwork resource cannot be found.',
    ],
    [
      'a subnetwork of another region',
      nic({ subnetwork: 'regions/us-east1/subnetworks/spot-us-east1' }),
      'The subnetwork is not in region us-central1.',
    ],
    ['a bare subnetwork', nic({ subnetwork: 'spot' }), 'The URL is malformed.'],
    [
      'a subnetwork of another network',
      nic({ network: 'global/networks/default' }),
      'Network interface must specify a subnetwork of its network.',
    ],
    [
      'a network that is not there',
      nic({ network: 'global/networks/gone' }),
      `${field('network')}: 'global/networks/gone'. The referenced network resource cannot be found.`,
    ],
    [
      'a network without subnetworks of its own making, and none named',
      { networkInterfaces: [{ network: 'global/networks/spot' }] },
      'Subnetwork must be provided for networks in custom subnetmode.',
    ],
    ['an address that is none', nic({ networkIP: '10.0.0' }), 'Must be a valid IPv4 address.'],
    [
      'an address outside of the subnetwork',
      nic({ networkIP: '10.9.9.9' }),
      `${field('networkIP')}: '10.9.9.9'. Requested internal IP address is outside the subnetwork CIDR range.`,
    ],
    [
      'a range for aliases that the subnetwork has not',
      nic({ aliasIpRanges: [{ ipCidrRange: '/24', subnetworkRangeName: 'services' }] }),
      "aliasIpRanges[0].subnetworkRangeName': 'services'",
    ],
    [
      'a range for aliases that no network has',
      nic({ aliasIpRanges: [{ ipCidrRange: '/40' }] }),
      "aliasIpRanges[0].ipCidrRange': '/40'",
    ],
    [
      'two public addresses',
      nic({ accessConfigs: [{ type: 'ONE_TO_ONE_NAT' }, { type: 'ONE_TO_ONE_NAT' }] }),
      'At most one access config currently supported.',
    ],
  ],
})
