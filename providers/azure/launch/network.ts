import { isIP } from 'node:net'
import type { Ctx } from '../../../api/ctx.ts'
import { invalid } from '../../shared/invalid.ts'
import { unlessDenied } from '../../shared/placement/offerings.ts'
import type { Looking } from '../lookups/lookups.ts'
import { groupPath } from '../wire/resource-ids.ts'
import type { AzureRequest } from './request.ts'
import type { AzureWanted } from './wanted.ts'

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

/**
 * Whether the network interface of a machine is accelerated: as its spec says, else where its size supports it, as in
 * Cluster API Provider Azure. Undefined where Azure decides. No permission to list sizes is needed for a launch.
 */
export async function isAccelerated(
  { spec, scope }: AzureWanted,
  lookups: Looking,
  ctx: Ctx,
): Promise<boolean | undefined> {
  const said = acceleratedBy(spec)
  if (said !== undefined) return said
  const facts = await unlessDenied(lookups.instanceType(spec.vmSize, scope, ctx))
  return facts?.hasAcceleratedNetworking || undefined
}

/** Undefined if the spec says nothing about accelerated networking. */
function acceleratedBy(spec: AzureWanted['spec']): boolean | undefined {
  return spec.networkInterfaces?.[0]?.acceleratedNetworking ?? spec.acceleratedNetworking
}

function address(server: string): string {
  if (isIP(server) !== 0) return server
  throw invalid(
    `spec.dnsServers of the AzureMachine: ${server} is not an address; write it like 10.0.0.10, or leave it out.`,
  )
}
