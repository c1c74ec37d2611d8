import { spotGroup } from '../../api/kinds.ts'
import { core } from '../../api/labels.ts'
import { isPaused, type Cluster, type Machine } from '../../api/machine.ts'
import { keyOf } from '../runtime/client/resource.ts'
import type { RemediationDeps } from './deps.ts'

/** The Machines of a Cluster that may be replaced: workers with our infrastructure that are not paused. */
export function machinesOf(cluster: Cluster, { machines }: RemediationDeps): Machine[] {
  return machines.by('cluster', keyOf(cluster)).filter((machine) => {
    const { spec, metadata } = machine
    const isWorker = metadata.labels?.[core.controlPlane] === undefined
    return spec.infrastructureRef?.apiGroup === spotGroup && isWorker && !isPaused(machine, cluster)
  })
}
