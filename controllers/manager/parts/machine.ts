import { runMachines } from '../../machine/controller.ts'
import { ofThisProcess } from '../../machine/of-this-process.ts'
import { fleetUse } from '../../shared/fleet-use.ts'
import type { CloudNeeds, CloudObjects } from './cloud-objects.ts'
import type { Running } from '../part.ts'

export function machinePart(
  of: CloudObjects,
  { machines, recorder, nodes, nodeEvents, fleets, launches }: CloudNeeds,
): Running {
  const { part, machineResource: resource, machineRun } = of
  const deps = {
    ...of,
    ...fleetUse(fleets, resource.kind),
    ...ofThisProcess(),
    resource,
    machines,
    recorder,
    nodes,
    nodeEvents,
    launches,
    requeue: (key: string) => machineRun.queue.add(key),
    gate: part.gate,
  }
  return {
    caches: [part.cache(resource.kind, of.infraMachines)],
    controllers: [{ name: resource.kind, run: (ctx) => runMachines(deps, machineRun, ctx) }],
  }
}
