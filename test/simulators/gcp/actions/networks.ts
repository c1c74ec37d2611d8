import { action, type Action } from '../http/action.ts'
import type { Json } from '../../kit/http/decode-json.ts'
import { notFound } from '../http/errors.ts'
import { gceTime } from '../ids.ts'
import { aggregatedList, listIn, type Listing } from '../http/listing.ts'
import { nameOf, regionOf } from '../places.ts'
import { linkTo } from '../references.ts'
import { networkFields, subnetworkFields } from '../http/schemas/catalogue.ts'
import type { Network, Subnetwork, World } from '../world.ts'

const started = gceTime(Date.UTC(2026, 0, 1))

function writeSubnetwork({ id, name, network, region, cidr, secondary }: Subnetwork, { project }: World): Json {
  const ranges = Object.entries(secondary).map(([rangeName, ipCidrRange]) => ({ rangeName, ipCidrRange }))
  return {
    kind: 'compute#subnetwork',
    id,
    creationTimestamp: started,
    name,
    network: linkTo(`projects/${project}/global/networks/${network}`),
    ipCidrRange: cidr,
    gatewayAddress: cidr.replace(/\.\d+\/.*$/, '.1'),
    region: linkTo(`projects/${project}/regions/${region}`),
    selfLink: linkTo(`projects/${project}/regions/${region}/subnetworks/${name}`),
    privateIpGoogleAccess: true,
    ...(ranges.length > 0 && { secondaryIpRanges: ranges }),
    purpose: 'PRIVATE',
    stackType: 'IPV4_ONLY',
  }
}

function writeNetwork({ id, name, isAuto }: Network, { project, subnetworks }: World): Json {
  const own = subnetworks.filter(({ network }) => network === name)
  return {
    kind: 'compute#network',
    id,
    creationTimestamp: started,
    name,
    autoCreateSubnetworks: isAuto,
    subnetworks: own.map((one) => linkTo(`projects/${project}/regions/${one.region}/subnetworks/${one.name}`)),
    selfLink: linkTo(`projects/${project}/global/networks/${name}`),
  }
}

const subnetworks: Listing<Subnetwork> = {
  collection: 'subnetworks',
  resource: 'subnetworks',
  kind: 'compute#subnetwork',
  fields: subnetworkFields,
  in: 'regions',
  items: ({ world }) => world.subnetworks,
  scopeOf: ({ region }) => `regions/${region}`,
  nameOf: ({ name }) => name,
  write: writeSubnetwork,
}

const networks: Listing<Network> = {
  collection: 'networks',
  resource: 'networks',
  kind: 'compute#network',
  fields: networkFields,
  items: ({ world }) => world.networks,
  scopeOf: () => 'global',
  nameOf: ({ name }) => name,
  write: writeNetwork,
}

const getSubnetwork = action({
  name: 'subnetworks.get',
  method: 'GET',
  path: 'projects/{project}/regions/{region}/subnetworks/{subnetwork}',
  answers: subnetworkFields,
  perform({ parameters }, { world }) {
    const region = regionOf(parameters, world)
    const name = nameOf(parameters, 'subnetwork')
    const found = world.subnetworks.find((one) => one.region === region && (one.name === name || one.id === name))
    if (found) return writeSubnetwork(found, world)
    throw notFound(`projects/${world.project}/regions/${region}/subnetworks/${name}`)
  },
})

const getNetwork = action({
  name: 'networks.get',
  method: 'GET',
  path: 'projects/{project}/global/networks/{network}',
  answers: networkFields,
  perform({ parameters }, { world }) {
    const name = nameOf(parameters, 'network')
    const found = world.networks.find((one) => one.name === name || one.id === name)
    if (found) return writeNetwork(found, world)
    throw notFound(`projects/${world.project}/global/networks/${name}`)
  },
})

export const networkActions: readonly Action[] = [
  getSubnetwork,
  listIn(subnetworks, 'regions/{region}'),
  aggregatedList(subnetworks),
  getNetwork,
  listIn(networks, 'global'),
]
