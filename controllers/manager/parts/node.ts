import { runOffNodes } from '../../node/controller.ts'
import type { CloudObjects } from './cloud-objects.ts'
import type { Common } from '../common.ts'
import type { Running } from '../part.ts'

const workers = 4

/** The Nodes of machines that are off: their volumes are released. */
export function nodePart({ part, machineResource, infraMachines, clusters }: CloudObjects, shared: Common): Running {
  const name = `${machineResource.kind} volumes`
  const run = part.controller(name, workers)
  const deps = { infraMachines, clusters, machines: shared.machines, nodes: shared.nodes }
  return { caches: [], controllers: [{ name, run: (ctx) => runOffNodes(deps, { name, run }, ctx) }] }
}
