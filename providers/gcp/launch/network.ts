import type { Site } from '../../../api/attempt.ts'
import { annotations } from '../../../api/labels.ts'
import { noOthers } from '../../shared/placement.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { invalid } from '../../shared/invalid.ts'
import { attemptPatterns } from '../observe/attempt-patterns.ts'
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
  /** The subnet, or the network where that has one by itself in every region. */
  readonly place: string
  /** How many further subnets would fit. */
  readonly otherSubnets: number
}

/** Where the machine is attached: to a subnet, or to a network that has one by itself in every region. */
export function attachmentOf(wanted: GcpWanted): Attachment {
  const { spec, cluster, scope } = wanted
  const { hostProject = scope.account } = cluster.network ?? {}
  const { name, subnets } = wanted.at
    ? again(wanted, wanted.at)
    : { name: cluster.network?.name, subnets: subnetsFor(wanted) }
  const [subnet, ...others] = subnets
  // The network of a subnet need not be said; one that is said has to be the subnet's.
  const network = name ?? (subnet === undefined ? 'default' : undefined)
  return {
    networkInterface: {
      network: network && `projects/${hostProject}/global/networks/${network}`,
      subnetwork: subnet && `projects/${hostProject}/regions/${scope.region}/subnetworks/${subnet}`,
      accessConfigs: spec.publicIP ? [{ type: 'ONE_TO_ONE_NAT', name: 'External NAT' }] : undefined,
      aliasIpRanges: spec.aliasIPRanges,
    },
    place: subnet ?? `${anyIn}${network}`,
    otherSubnets: others.length,
  }
}

/** Before the name of a network where that of a subnet would be. */
const anyIn = 'network '

/** Where this attempt has asked before, and the subnets that could come after it. */
function again(wanted: GcpWanted, { subnet: place }: Site): { name: string | undefined; subnets: string[] } {
  const network = place.startsWith(anyIn) ? place.slice(anyIn.length) : undefined
  if (!attemptPatterns.subnet.test(place)) {
    throw invalid(
      `The subnet in the annotation ${annotations.attempt} of the GCPMachine is not a valid name in GCE; replace the Machine.`,
    )
  }
  if (network !== undefined) return { name: network, subnets: [] }
  return { name: wanted.cluster.network?.name, subnets: [place, ...othersThan(place, wanted)] }
}

function othersThan(place: string, wanted: GcpWanted): string[] {
  try {
    return subnetsFor({ ...wanted, exclude: [...wanted.exclude, place] })
  } catch (thrown) {
    return noOthers(thrown)
  }
}

/**
 * The machine's own subnet, else those of the cluster that were not found full, the best first. None: nobody names one.
 */
function subnetsFor({ spec, cluster, scope, exclude }: GcpWanted): string[] {
  const listed = cluster.network?.subnets ?? []
  const named = listed.filter(({ region }) => region === undefined || region === scope.region).map(({ name }) => name)
  const known = spec.subnet ? [spec.subnet] : named
  const left = known.filter((name) => !exclude.includes(name))
  if (known.length === 0 || left.length > 0) return left
  throw new CloudError('subnet', {
    code: 'IP_SPACE_EXHAUSTED',
    message: `None of the ${known.length} matching subnets has a free address.`,
  })
}
