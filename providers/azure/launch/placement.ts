import { isIP } from 'node:net'
import { annotations } from '../../../api/labels.ts'
import { noOthers } from '../../shared/placement.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { invalid } from '../../shared/invalid.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'
import { groupPath } from '../wire/resource-ids.ts'
import type { AzureRequest } from './request.ts'
import type { AzureWanted } from './wanted.ts'

/** What subnets of the cluster are for; those that are for something else are left alone. */
const forNodes: ReadonlySet<string> = new Set(['node', 'cluster', 'all'])

/**
 * The names of the subnets where the machine may go, the best first: where it was asked for before, if it was. What was
 * full is left out.
 */
export function subnetsFor(wanted: AzureWanted): [string, ...string[]] {
  const { at, exclude } = wanted
  if (!at) return chosen(wanted)
  if (!attemptPatterns.subnet.test(at.subnet)) {
    throw invalid(
      `The subnet in the annotation ${annotations.attempt} of the AzureMachine is not a valid name in Azure; replace the Machine.`,
    )
  }
  try {
    return [at.subnet, ...chosen({ ...wanted, exclude: [...exclude, at.subnet] })]
  } catch (thrown) {
    return [at.subnet, ...noOthers(thrown)]
  }
}

function chosen({ spec, cluster, exclude }: AzureWanted): [string, ...string[]] {
  const own = spec.networkInterfaces?.[0]?.subnetName ?? spec.subnetName
  const listed = cluster.networkSpec.subnets ?? []
  const known =
    own === undefined ? listed.filter(({ role = 'node' }) => forNodes.has(role)).map(({ name }) => name) : [own]
  if (known.length === 0) {
    throw invalid(
      'spec.networkSpec.subnets of the AzureCluster has none of role node; add one, or set subnetName in ' +
        'spec.networkInterfaces of the AzureMachine.',
    )
  }
  const [first, ...others] = known.filter((name) => !exclude.includes(name))
  if (first !== undefined) return [first, ...others]
  throw new CloudError('subnet', {
    code: 'SubnetIsFull',
    message: `None of the ${known.length} matching subnets in ${cluster.networkSpec.vnet.name} has a free address.`,
  })
}

/** What the machine says of accelerated networking; undefined: nothing. */
export function acceleratedBy(spec: AzureWanted['spec']): boolean | undefined {
  return spec.networkInterfaces?.[0]?.acceleratedNetworking ?? spec.acceleratedNetworking
}

/** The properties of the network interface. */
export function interfaceOf(
  { spec, cluster, scope }: AzureWanted,
  subnet: string,
  isAccelerated: boolean | undefined,
): AzureRequest['interface'] {
  const { vnet } = cluster.networkSpec
  const group = groupPath({ scope, group: vnet.resourceGroup ?? cluster.resourceGroup })
  const id = `${group}/providers/Microsoft.Network/virtualNetworks/${vnet.name}/subnets/${subnet}`
  const isFast = acceleratedBy(spec) ?? isAccelerated
  const { privateIPConfigs = 1 } = spec.networkInterfaces?.[0] ?? {}
  return {
    ipConfigurations: Array.from({ length: privateIPConfigs }, (_, at) => ({
      name: `ipConfig${at}`,
      properties: { primary: at === 0, privateIPAllocationMethod: 'Dynamic', subnet: { id } },
    })),
    ...(isFast === undefined ? {} : { enableAcceleratedNetworking: isFast }),
    ...(spec.enableIPForwarding === undefined ? {} : { enableIPForwarding: spec.enableIPForwarding }),
    ...(spec.dnsServers ? { dnsSettings: { dnsServers: spec.dnsServers.map(address) } } : {}),
  }
}

function address(server: string): string {
  if (isIP(server) !== 0) return server
  throw invalid(
    `spec.dnsServers of the AzureMachine: ${server} is not an address; write it like 10.0.0.10, or leave it out.`,
  )
}
