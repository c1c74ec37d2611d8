import type { Manifest } from '../lab/objects.ts'
import { awsFacts } from '../simulators/aws/facts.ts'
import { standardWorld } from '../simulators/aws/world.ts'

/** Beside the m5.large of the example. Its image runs on all of them. */
const sameSize = ['m5a.large', 'm6i.large', 'm5d.large']
const others = ['m5.xlarge', 'm6i.xlarge', 'c5.large', 'r5.large']

/** Three times four types. */
const fallback = [
  { instanceTypes: sameSize },
  { instanceTypes: others },
  { capacityType: 'OnDemand', instanceTypes: ['m5.large', ...sameSize] },
]

const { subnets } = awsFacts(standardWorld(), '')
const zones = new Set(subnets.map(({ availabilityZone }) => availabilityZone))

/** How many offerings a machine has. */
export const offerings = 12 * zones.size

/** The example of AWS, with a subnet in each zone, and with fallback. */
export function withRungs(manifest: Manifest): Manifest {
  const changed = structuredClone(manifest) as Manifest & { spec: Changed }
  if (changed.kind === 'AWSCluster') {
    changed.spec.network = {
      ...changed.spec.network,
      subnets: subnets.map(({ id, availabilityZone }) => ({ id, availabilityZone })),
    }
  }
  if (changed.kind === 'AWSMachineTemplate' && changed.spec.template) changed.spec.template.spec['fallback'] = fallback
  return changed
}

interface Changed {
  network?: object
  template?: { spec: Record<string, unknown> }
}
