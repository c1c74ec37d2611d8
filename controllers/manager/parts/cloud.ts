import type { CloudNeeds, CloudObjects } from './cloud-objects.ts'
import { clusterPart } from './cluster.ts'
import { machinePart } from './machine.ts'
import { nodePart } from './node.ts'
import type { Running } from '../part.ts'
import { templatePart } from './template.ts'

/** All controllers of one cloud. None of them acts before all caches of the cloud have been listed. */
export function cloudParts(of: CloudObjects, needs: CloudNeeds): Running {
  const machines = machinePart(of, needs)
  const clusters = clusterPart(of, needs)
  const templates = templatePart(of, needs)
  return {
    caches: [...machines.caches, ...clusters.caches, ...templates.caches],
    controllers: of.part.acting([
      ...templates.controllers,
      ...clusters.controllers,
      ...machines.controllers,
      ...nodePart(of, needs).controllers,
    ]),
  }
}
