import { nic, subnetwork, type Trap } from './trap.ts'

const field = (name: string) => `Invalid value for field 'resource.networkInterfaces[0].${name}'`

/** Where an instance goes: subnetworks, networks, addresses. */
export const places: readonly Trap[] = [
  {
    trap: 'no network interface',
    said: { networkInterfaces: [] },
    message: 'At least one network interface is required.',
  },
  {
    trap: 'two network interfaces in one network',
    said: { networkInterfaces: [{ subnetwork }, { subnetwork }] },
    message: 'Networks must be distinct for NICs attached to a VM.',
  },
  {
    trap: 'a subnetwork that is not there',
    said: nic({ subnetwork: 'regions/us-central1/subnetworks/gone' }),
    message: `${field('subnetwork')}: 'regions/us-central1/subnetworks/gone'. The referenced subnetwork resource cannot`,
  },
  {
    trap: "somebody else's subnetwork",
    said: nic({ subnetwork: subnetwork.replace('spot-simulated', 'other') }),
    message: 'The referenced subnetwork resource cannot be found.',
  },
  {
    trap: 'a subnetwork of another region',
    said: nic({ subnetwork: 'regions/us-east1/subnetworks/spot-us-east1' }),
    message: 'The subnetwork is not in region us-central1.',
  },
  { trap: 'a bare subnetwork', said: nic({ subnetwork: 'spot' }), message: 'The URL is malformed.' },
  {
    trap: 'a subnetwork of another network',
    said: nic({ network: 'global/networks/default' }),
    message: 'Network interface must specify a subnetwork of its network.',
  },
  {
    trap: 'a network that is not there',
    said: nic({ network: 'global/networks/gone' }),
    message: `${field('network')}: 'global/networks/gone'. The referenced network resource cannot be found.`,
  },
  {
    trap: 'a network without subnetworks of its own making, and none named',
    said: { networkInterfaces: [{ network: 'global/networks/spot' }] },
    message: 'Subnetwork must be provided for networks in custom subnetmode.',
  },
  { trap: 'an address that is none', said: nic({ networkIP: '10.0.0' }), message: 'Must be a valid IPv4 address.' },
  {
    trap: 'an address outside of the subnetwork',
    said: nic({ networkIP: '10.9.9.9' }),
    message: `${field('networkIP')}: '10.9.9.9'. Requested internal IP address is outside the subnetwork CIDR range.`,
  },
  {
    trap: 'a range for aliases that the subnetwork has not',
    said: nic({ aliasIpRanges: [{ ipCidrRange: '/24', subnetworkRangeName: 'services' }] }),
    message: "aliasIpRanges[0].subnetworkRangeName': 'services'",
  },
  {
    trap: 'a range for aliases that no network has',
    said: nic({ aliasIpRanges: [{ ipCidrRange: '/40' }] }),
    message: "aliasIpRanges[0].ipCidrRange': '/40'",
  },
  {
    trap: 'two public addresses',
    said: nic({ accessConfigs: [{ type: 'ONE_TO_ONE_NAT' }, { type: 'ONE_TO_ONE_NAT' }] }),
    message: 'At most one access config currently supported.',
  },
]
