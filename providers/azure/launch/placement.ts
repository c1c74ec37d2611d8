import { annotations } from '../../../api/labels.ts'
import { invalid } from '../../shared/invalid.ts'
import type { ZoneOfRung } from '../../shared/placement/offerings.ts'
import { candidatesFrom, type Candidates } from '../../shared/placement/candidates.ts'
import { zoneOfMachine } from '../../shared/wanted.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'
import type { AzureWanted } from './wanted.ts'

/** The roles of subnets in which nodes may be; other subnets of the cluster are left alone. */
const forNodes: ReadonlySet<string> = new Set(['node', 'cluster', 'all'])

/** The names of the subnets where the machine may go: where it was asked for before, its own, or the cluster's. */
export function subnetsFor(wanted: AzureWanted): Promise<Candidates<string>> {
  const { vnet } = wanted.cluster.networkSpec
  return candidatesFrom(wanted, {
    again: ({ subnet }) => named(subnet),
    allowed: () => allowedBy(wanted),
    nameOf: (name) => name,
    full: { code: 'SubnetIsFull', where: ` in ${vnet.name}` },
  })
}

/** Why no machine can be in this zone. '' is regional: Azure chooses, and tells no zone. */
export function obstacleIn({ zone, zoneIs }: ZoneOfRung): string | undefined {
  if (zone === '' || /^[1-9]$/.test(zone)) return undefined
  const field = zoneIs === zoneOfMachine ? 'spec.failureDomain of the Machine' : `The zone ${zoneIs}`
  return `${field} is ${zone}, but the zones of Azure are 1, 2 and 3, without the location. Correct it, or leave it out.`
}

function named(subnet: string): string {
  if (attemptPatterns.subnet.test(subnet)) return subnet
  throw invalid(
    `The subnet in the annotation ${annotations.attempt} of the AzureMachine is not a valid name in Azure; replace the Machine.`,
  )
}

function allowedBy({ spec, cluster }: AzureWanted): string[] {
  const own = spec.networkInterfaces?.[0]?.subnetName ?? spec.subnetName
  if (own !== undefined) return [own]
  const listed = (cluster.networkSpec.subnets ?? []).filter(({ role = 'node' }) => forNodes.has(role))
  if (listed.length > 0) return listed.map(({ name }) => name)
  throw invalid(
    'spec.networkSpec.subnets of the AzureCluster has none of role node; add one, or set subnetName in ' +
      'spec.networkInterfaces of the AzureMachine.',
  )
}
