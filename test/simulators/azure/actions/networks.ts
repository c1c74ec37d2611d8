import { given, type Action, type ArmRequest } from '../action.ts'
import { groupCalled, resourceNotFound } from '../groups.ts'
import { types } from '../ids.ts'
import { page } from '../listing.ts'
import { networkJson, subnetJson } from '../network-json.ts'
import { paths, versions } from '../versions.ts'
import type { Network, Subnet, World } from '../world.ts'

const inGroup = `${paths.group}/providers/Microsoft.Network/virtualNetworks`
const reads = ['NetworkReads'] as const

function networksOf(request: ArmRequest, world: World): readonly Network[] {
  const group = groupCalled(given(request, 'resourceGroup'), world)
  return world.networks.filter(({ resourceGroup }) => resourceGroup === group)
}

function networkOf(request: ArmRequest, world: World, name: string): Network {
  const found = networksOf(request, world).find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (found) return found
  throw resourceNotFound(types.network, name, given(request, 'resourceGroup'))
}

function subnetOf(request: ArmRequest, world: World): Subnet {
  const network = networkOf(request, world, given(request, 'network'))
  const name = given(request, 'name')
  const found = network.subnets.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (found) return found
  throw resourceNotFound(types.network, `${network.name}/subnets/${name}`, given(request, 'resourceGroup'))
}

function numbered<T>(items: readonly T[]): readonly { readonly number: number; readonly item: T }[] {
  return items.map((item, at) => ({ number: at + 1, item }))
}

export const networkActions: readonly Action[] = [
  {
    name: 'VirtualNetworks_Get',
    method: 'GET',
    path: `${inGroup}/{name}`,
    versions: versions.network,
    buckets: reads,
    perform: (request, { world }) => ({
      status: 200,
      body: networkJson(networkOf(request, world, given(request, 'name')), world),
    }),
  },
  {
    name: 'VirtualNetworks_List',
    method: 'GET',
    path: inGroup,
    versions: versions.network,
    buckets: reads,
    perform(request, account) {
      const items = numbered(networksOf(request, account.world))
      const write = ({ item }: { item: Network }) => networkJson(item, account.world)
      return page('VirtualNetworks_List', items, write, { request, account })
    },
  },
  {
    name: 'VirtualNetworks_ListAll',
    method: 'GET',
    path: `${paths.subscription}/providers/Microsoft.Network/virtualNetworks`,
    versions: versions.network,
    buckets: reads,
    perform(request, account) {
      const write = ({ item }: { item: Network }) => networkJson(item, account.world)
      return page('VirtualNetworks_ListAll', numbered(account.world.networks), write, { request, account })
    },
  },
  {
    name: 'Subnets_Get',
    method: 'GET',
    path: `${inGroup}/{network}/subnets/{name}`,
    versions: versions.network,
    buckets: reads,
    perform: (request, { world }) => ({ status: 200, body: subnetJson(subnetOf(request, world)) }),
  },
  {
    name: 'Subnets_List',
    method: 'GET',
    path: `${inGroup}/{network}/subnets`,
    versions: versions.network,
    buckets: reads,
    perform(request, account) {
      const { subnets } = networkOf(request, account.world, given(request, 'network'))
      return page('Subnets_List', numbered(subnets), ({ item }) => subnetJson(item), { request, account })
    },
  },
]
