import { action, type Action } from '../http/action.ts'
import { beginning, checkRequestId } from '../actions/instances.ts'
import { addressesExhausted, quotaExceeded, quotaExceededNow, stockout, stockoutNow } from '../http/failures.ts'
import { each, text, unplayed } from '../../kit/http/schema.ts'
import type { InsertPlan, Instance } from '../instances/instance.ts'
import { writeOperation } from '../http/operation-json.ts'
import type { OperationError } from '../http/operations.ts'
import { zoneOf } from '../places.ts'
import type { Project } from '../project.ts'
import { instanceFields } from '../http/schemas/instance.ts'
import { operationFields } from '../http/schemas/operation.ts'
import { plan } from './plan.ts'

const name = 'instances.insert'

export const insert: Action = action({
  name,
  method: 'POST',
  path: 'projects/{project}/zones/{zone}/instances',
  query: { requestId: text, ...each(unplayed, 'sourceInstanceTemplate sourceMachineImage') },
  body: instanceFields,
  answers: operationFields,
  perform({ parameters, query, body }, project) {
    const { world, sight, operations, instances, lifecycle, clock } = project
    const zone = zoneOf(parameters, world)
    const requestId = checkRequestId(query.requestId)
    sight.reach(zone.name)
    const call = `${name} ${zone.name}`
    const before = operations.ofRequest(call, requestId, clock.now())
    if (before) return writeOperation(before, world)
    const planned = plan(body, { zone, requestId }, project)
    const refusal = refuseOrFail(planned, project)
    const instance = instances.insert(planned, clock.now())
    const failure = refusal ?? withoutAddress(instance, project)
    if (failure) project.capacity.refuse(instance, planned.name)
    const operation = operations.begin(beginning('insert', instance, { project, requestId }), call, clock.now())
    lifecycle.boot(instance, operation, failure)
    return writeOperation(operation, world)
  },
})

/** Why it will not be: thrown where that is said at once, else for its operation to say. */
function refuseOrFail(planned: InsertPlan, project: Project): OperationError | undefined {
  const { capacity, quotas, operationFaults, world, clock } = project
  const { zone, machineType, scheduling, reservation } = planned
  const quota = quotas.exceededBy(planned)
  if (quota?.synchronous === true) throw quotaExceededNow(quota, zone.region)
  const market = scheduling.isSpot ? 'spot' : 'on-demand'
  const offering = { instanceType: machineType.name, zone: zone.name, market } as const
  const hole = reservation ? undefined : capacity.holeFor(offering, clock.now())
  if (hole?.synchronous === true) throw stockoutNow(planned, world)
  if (quota) return quotaExceeded(quota, zone.region)
  return hole ? stockout(planned, world) : operationFaults.take('insert')
}

function withoutAddress({ interfaces }: Instance, { world }: Project): OperationError | undefined {
  const without = interfaces.find(({ privateAddress }) => privateAddress === undefined)
  return without && addressesExhausted(without.subnetwork, world)
}
