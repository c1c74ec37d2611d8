import { GceError, invalidValue } from '../http/errors.ts'
import { isAddress } from '../../kit/supply/addresses.ts'
import type { InterfacePlan } from '../instances/instance.ts'
import type { Project } from '../project.ts'
import { readReference } from '../references.ts'
import type { InstanceValues } from '../http/schemas/instance.ts'
import type { Subnetwork, World, Zone } from '../world.ts'

type Asked = NonNullable<InstanceValues['networkInterfaces']>[number]

/** Where an instance is attached. */
export function checkNetwork(
  asked: readonly Asked[] = [],
  zone: Zone,
  project: Project,
): readonly [InterfacePlan, ...InterfacePlan[]] {
  const [first, ...others] = asked.map((one, at) =>
    checkInterface(one, { zone, project, path: `resource.networkInterfaces[${at}]` }),
  )
  if (!first) throw invalidValue('resource.networkInterfaces', '', 'At least one network interface is required.')
  const networks = [first, ...others].map(({ subnetwork }) => subnetwork.network)
  if (new Set(networks).size < networks.length) {
    throw invalidValue('resource.networkInterfaces', '', 'Networks must be distinct for NICs attached to a VM.')
  }
  return [first, ...others]
}

interface Place {
  readonly zone: Zone
  readonly project: Project
  readonly path: string
}

function checkInterface(asked: Asked, place: Place): InterfacePlan {
  const { world } = place.project
  const subnetwork = subnetworkOf(asked, place)
  const { accessConfigs = [], aliasIpRanges = [] } = asked
  if (accessConfigs.length > 1) {
    throw invalidValue(`${place.path}.accessConfigs`, '', 'At most one access config currently supported.')
  }
  return {
    subnetwork,
    address: addressOf(asked.networkIP, subnetwork, place),
    isPublic: accessConfigs.length > 0,
    aliases: aliasIpRanges.map(({ ipCidrRange = '/32', subnetworkRangeName: name }, at) => {
      if (name !== undefined && !Object.hasOwn(subnetwork.secondary, name)) {
        const path = `${place.path}.aliasIpRanges[${at}].subnetworkRangeName`
        throw invalidValue(path, name, `The subnetwork ${subnetwork.name} of ${world.project} has no such range.`)
      }
      if (!/^(([0-9]{1,3}\.){3}[0-9]{1,3})?(\/([0-9]|[12][0-9]|3[0-2]))?$/.test(ipCidrRange) || ipCidrRange === '') {
        const path = `${place.path}.aliasIpRanges[${at}].ipCidrRange`
        throw invalidValue(path, ipCidrRange, 'Must be an address, a range or a netmask such as /24.')
      }
      return { ipCidrRange, ...(name !== undefined && { subnetworkRangeName: name }) }
    }),
    nicType: asked.nicType,
  }
}

function subnetworkOf(asked: Asked, { zone, project: { world }, path }: Place): Subnetwork {
  const network = asked.network === undefined ? undefined : networkOf(asked.network, world, `${path}.network`)
  if (asked.subnetwork === undefined) {
    const { name, isAuto } = network ?? { name: 'default', isAuto: true }
    const own = world.subnetworks.find((one) => one.network === name && one.region === zone.region)
    if (own && isAuto) return own
    throw invalidValue(`${path}.subnetwork`, '', 'Subnetwork must be provided for networks in custom subnetmode.')
  }
  const found = subnetworkNamed(asked.subnetwork, world, `${path}.subnetwork`)
  if (found.region !== zone.region) {
    throw invalidValue(`${path}.subnetwork`, asked.subnetwork, `The subnetwork is not in region ${zone.region}.`)
  }
  if (network && network.name !== found.network) {
    throw new GceError(
      'invalid',
      `Invalid value for field '${path}.subnetwork': '${asked.subnetwork}'. Network interface must specify a ` +
        'subnetwork of its network.',
    )
  }
  return found
}

function networkOf(reference: string, world: World, field: string) {
  const { name } = readReference(reference, 'projects/{project}/global/networks/{name}', {
    project: world.project,
    field,
  })
  const found = world.networks.find((one) => one.name === name)
  if (found) return found
  throw invalidValue(field, reference, 'The referenced network resource cannot be found.')
}

function subnetworkNamed(reference: string, world: World, field: string): Subnetwork {
  const form = 'projects/{project}/regions/{region}/subnetworks/{name}'
  const { project, region, name } = readReference(reference, form, { project: world.project, field })
  const found = world.subnetworks.find((one) => one.name === name && one.region === region)
  if (found && project === world.project) return found
  throw invalidValue(field, reference, 'The referenced subnetwork resource cannot be found.')
}

function addressOf(address: string | undefined, subnetwork: Subnetwork, place: Place): string | undefined {
  if (address === undefined) return undefined
  const { instances } = place.project
  const field = `${place.path}.networkIP`
  if (!isAddress(address)) throw invalidValue(field, address, 'Must be a valid IPv4 address.')
  if (!instances.holdsAddress(subnetwork, address)) {
    throw invalidValue(field, address, 'Requested internal IP address is outside the subnetwork CIDR range.')
  }
  if (!instances.addressIsTaken(subnetwork, address)) return address
  throw invalidValue(field, address, 'Specified IP address is in-use and would result in a conflict.')
}
