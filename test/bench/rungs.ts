import type { Manifest } from '../lab/objects.ts'
import { awsFacts } from '../simulators/aws/facts.ts'
import { standardWorld } from '../simulators/aws/world.ts'

/** That of the example. */
const usual = 'm5.large'
/** Its image runs on all of them. */
const sameSize = ['m5a.large', 'm6i.large', 'm5d.large']
const others = ['m5.xlarge', 'm6i.xlarge', 'c5.large', 'r5.large']

/** No two entries ask for the same, nor does the spec itself, which comes first. */
const fallback = [
  { instanceTypes: sameSize },
  { instanceTypes: others },
  { capacityType: 'OnDemand', instanceTypes: [usual, ...sameSize] },
]

const { subnets } = awsFacts(standardWorld(), '')
const zones = new Set(subnets.map(({ availabilityZone }) => availabilityZone))

/** How many offerings a machine has. */
export const offerings = (1 + fallback.flatMap(({ instanceTypes }) => instanceTypes).length) * zones.size

interface ClusterOfAws extends Manifest {
  spec: { network?: object }
}

interface TemplateOfAws extends Manifest {
  spec: { template: { spec: Record<string, unknown> } }
}

/** The example of AWS, with a subnet in each zone, and with fallback. */
export function withRungs(manifest: Manifest): Manifest {
  const changed = structuredClone(manifest)
  if (changed.kind === 'AWSCluster') {
    const { spec } = changed as ClusterOfAws
    spec.network = { ...spec.network, subnets: subnets.map(({ id, availabilityZone }) => ({ id, availabilityZone })) }
  }
  if (changed.kind === 'AWSMachineTemplate') (changed as TemplateOfAws).spec.template.spec['fallback'] = fallback
  return changed
}
