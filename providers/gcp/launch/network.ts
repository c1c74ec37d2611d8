import { siteIn, subnetsFor } from './placement.ts'
import type { GcpWanted } from './wanted.ts'

/** As GCE has it. */
export interface NetworkInterface {
  readonly network: string | undefined
  readonly subnetwork: string | undefined
  readonly accessConfigs: readonly { readonly type: 'ONE_TO_ONE_NAT'; readonly name: string }[] | undefined
  readonly aliasIpRanges: GcpWanted['spec']['aliasIPRanges']
}

interface Attachment {
  readonly networkInterface: NetworkInterface
  /** As an attempt names it: the subnet, or the network that makes one itself in every region. */
  readonly subnet: string
  /** How many further subnets would fit. */
  readonly otherSubnets: number
}

/** The machine is attached to a subnet, or to a network that makes one itself in every region. */
export async function attachmentOf(wanted: GcpWanted): Promise<Attachment> {
  const { spec, cluster, scope } = wanted
  const { hostProject = scope.account } = cluster.network ?? {}
  const { network: name, subnets } = await subnetsFor(wanted)
  const [subnet, ...others] = subnets
  // The network of a subnet may be left out; one that is given has to be the subnet's.
  const network = name ?? (subnet === undefined ? 'default' : undefined)
  return {
    networkInterface: {
      network: network && `projects/${hostProject}/global/networks/${network}`,
      subnetwork: subnet && `projects/${hostProject}/regions/${scope.region}/subnetworks/${subnet}`,
      accessConfigs: spec.publicIP ? [{ type: 'ONE_TO_ONE_NAT', name: 'External NAT' }] : undefined,
      aliasIpRanges: spec.aliasIPRanges,
    },
    subnet: siteIn(network, subnet),
    otherSubnets: others.length,
  }
}
