import { action, type Action } from '../http/action.ts'
import type { Json } from '../../kit/http/decode-json.ts'
import { GceError, invalidValue, notFound } from '../http/errors.ts'
import { boolean, text } from '../../kit/http/schema.ts'
import { isRequestId } from '../ids.ts'
import { pathOfInstance, type Instance, type InstanceVersion } from '../instances/instance.ts'
import { writeInstance } from '../instances/instance-json.ts'
import { systemEvents } from '../instances/lifecycle.ts'
import { aggregatedList, listIn, type Listing } from '../http/listing.ts'
import { writeOperation } from '../http/operation-json.ts'
import type { Operation } from '../http/operations.ts'
import { nameOf, zoneOf } from '../places.ts'
import type { Project } from '../project.ts'
import { instanceFields } from '../http/schemas/instance.ts'
import { operationFields } from '../http/schemas/operation.ts'

const instances: Listing<InstanceVersion> = {
  collection: 'instances',
  resource: 'instances',
  kind: 'compute#instance',
  fields: instanceFields,
  items: ({ sight }) => sight.look(),
  scopeOf: ({ plan }) => `zones/${plan.zone.name}`,
  nameOf: ({ plan }) => plan.name,
  createdAt: ({ createdAt }) => createdAt,
  write: writeInstance,
}

const path = 'projects/{project}/zones/{zone}/instances/{instance}'

const get = action({
  name: 'instances.get',
  method: 'GET',
  path,
  query: { view: text },
  answers: instanceFields,
  perform({ parameters }, { world, sight }) {
    const zone = zoneOf(parameters, world).name
    const name = nameOf(parameters, 'instance')
    sight.reach(zone)
    const found = sight.get(zone, name)
    if (!found) throw notFound(`projects/${world.project}/zones/${zone}/instances/${name}`)
    return writeInstance(found, world)
  },
})

/** A call that does something to an instance and answers with the operation, the same one for the same request. */
interface Change {
  readonly verb: string
  readonly method: 'POST' | 'DELETE'
  /** The type of its operation. */
  readonly type: string
  readonly check?: (instance: Instance) => void
  readonly act: (instance: Instance, operation: Operation, project: Project) => void
}

function change({ verb, method, type, check, act }: Change): Action {
  const name = `instances.${verb}`
  return action({
    name,
    method,
    path: verb === 'delete' ? path : `${path}/${verb}`,
    query: {
      requestId: text,
      discardLocalSsd: boolean,
      noGracefulShutdown: boolean,
      withExtendedNotifications: boolean,
    },
    answers: operationFields,
    perform({ parameters, query }, project): Json {
      const { world, sight, operations, clock } = project
      const zone = zoneOf(parameters, world)
      const target = nameOf(parameters, 'instance')
      const requestId = checkRequestId(query.requestId)
      sight.reach(zone.name)
      const call = `${name} ${zone.name}/${target}`
      const before = operations.ofRequest(call, requestId, clock.now())
      if (before) return writeOperation(before, world)
      const instance = sight.find(zone.name, target)
      if (!instance) throw notFound(`projects/${world.project}/zones/${zone.name}/instances/${target}`)
      check?.(instance)
      const operation = operations.begin(beginning(type, instance, { project, requestId }), call, clock.now())
      act(instance, operation, project)
      return writeOperation(operation, world)
    },
  })
}

export function beginning(
  type: string,
  instance: Instance,
  { project: { world }, requestId }: { project: Project; requestId: string | undefined },
) {
  return {
    type,
    zone: instance.plan.zone,
    user: world.serviceAccount,
    target: pathOfInstance(instance, world.project),
    targetId: instance.id,
    requestId,
  }
}

export function checkRequestId(requestId: string | undefined): string | undefined {
  if (requestId === undefined || isRequestId(requestId)) return requestId
  throw invalidValue('requestId', requestId, 'Must be a valid UUID, and not the zero UUID.')
}

const remove = change({
  verb: 'delete',
  method: 'DELETE',
  type: 'delete',
  check({ plan: { settings } }) {
    if (!settings.isProtected) return
    const sentence = "Resource cannot be deleted if it's protected against deletion."
    throw new GceError('invalidResourceUsage', `Invalid resource usage: '${sentence}'.`)
  },
  act: (instance, operation, { lifecycle }) => lifecycle.delete(instance, operation),
})

const stop = change({
  verb: 'stop',
  method: 'POST',
  type: 'stop',
  act: (instance, operation, { lifecycle }) => lifecycle.stop(instance, 'stop', operation),
})

const start = change({
  verb: 'start',
  method: 'POST',
  type: 'start',
  check({ status, plan }) {
    if (!['STOPPING', 'REPAIRING'].includes(status)) return
    throw new GceError('resourceNotReady', `The resource '${plan.name}' is not ready`)
  },
  act(instance, operation, project) {
    const { lifecycle, operations, operationFaults, clock } = project
    if (instance.status === 'TERMINATED') lifecycle.boot(instance, operation, operationFaults.take('start'))
    else operations.end(operation, clock.now())
  },
})

/** What the next maintenance of the host would do: a spot instance is preempted, another one may be moved. */
const simulateMaintenanceEvent = change({
  verb: 'simulateMaintenanceEvent',
  method: 'POST',
  type: 'simulateMaintenanceEvent',
  check({ status, plan }) {
    if (status === 'RUNNING') return
    throw new GceError('resourceNotReady', `The resource '${plan.name}' is not ready`)
  },
  act(instance, operation, { lifecycle, operations, clock }) {
    const { isSpot, noticeSeconds = 0, onHostMaintenance } = instance.plan.scheduling
    operations.end(operation, clock.now())
    if (isSpot) lifecycle.interrupt(instance, noticeSeconds * 1000)
    else if (onHostMaintenance === 'TERMINATE') lifecycle.strike(instance, systemEvents.maintenance)
  },
})

export const instanceActions: readonly Action[] = [
  get,
  listIn(instances, 'zones/{zone}'),
  aggregatedList(instances),
  remove,
  stop,
  start,
  simulateMaintenanceEvent,
]
