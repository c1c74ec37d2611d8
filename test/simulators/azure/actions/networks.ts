import { given, callsOf, type Action, type ArmRequest } from '../http/action.ts'
import { groupCalled, resourceNotFound } from '../groups.ts'
import { types } from '../ids.ts'
import { page } from '../http/listing.ts'
import { networkJson, subnetJson } from '../instances/network-json.ts'
import { paths, versions } from '../http/versions.ts'
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

const call = callsOf(versions.network)

export const networkActions: readonly Action[] = [
  call.get('VirtualNetworks_Get', `${inGroup}/{name}`, reads, (request, { world }) => ({
    status: 200,
    body: networkJson(networkOf(request, world, given(request, 'name')), world),
  })),
  call.get('VirtualNetworks_List', inGroup, reads, (request, account) => {
    const items = numbered(networksOf(request, account.world))
    const write = ({ item }: { item: Network }) => networkJson(item, account.world)
    return page('VirtualNetworks_List', items, write, { request, account })
  }),
  call.get(
    'VirtualNetworks_ListAll',
    `${paths.subscription}/providers/Microsoft.Network/virtualNetworks`,
    reads,
    (request, account) => {
      const write = ({ item }: { item: Network }) => networkJson(item, account.world)
      return page('VirtualNetworks_ListAll', numbered(account.world.networks), write, { request, account })
    },
  ),
  call.get('Subnets_Get', `${inGroup}/{network}/subnets/{name}`, reads, (request, { world }) => ({
    status: 200,
    body: subnetJson(subnetOf(request, world)),
  })),
  call.get('Subnets_List', `${inGroup}/{network}/subnets`, reads, (request, account) => {
    const { subnets } = networkOf(request, account.world, given(request, 'network'))
    return page('Subnets_List', numbered(subnets), ({ item }) => subnetJson(item), { request, account })
  }),
]
