import { action, parameterOf, type Action } from '../http/action.ts'
import { notFound } from '../http/errors.ts'
import { aggregatedList, listIn, type Listing } from '../http/listing.ts'
import { writeOperation } from '../http/operation-json.ts'
import type { Operation } from '../http/operations.ts'
import { zoneOf } from '../places.ts'
import type { Project } from '../project.ts'
import { operationFields } from '../http/schemas/operation.ts'

const operations: Listing<Operation> = {
  collection: 'operations',
  resource: 'zoneOperations',
  aggregated: 'globalOperations.aggregatedList',
  kind: 'compute#operation',
  fields: operationFields,
  items: ({ operations }) => operations.all,
  scopeOf: ({ zone }) => `zones/${zone.name}`,
  nameOf: ({ name }) => name,
  createdAt: ({ insertedAt }) => insertedAt,
  write: writeOperation,
}

const path = 'projects/{project}/zones/{zone}/operations/{operation}'
export const waitName = 'zoneOperations.wait'

/** The operation that a path names, where there is one. */
export function operationAsked(
  parameters: Readonly<Record<string, string>>,
  { operations }: Project,
): Operation | undefined {
  return operations.find(parameterOf(parameters, 'zone'), parameterOf(parameters, 'operation'))
}

function single(name: string, method: 'GET' | 'POST', path: string): Action {
  return action({
    name,
    method,
    path,
    answers: operationFields,
    perform({ parameters }, project) {
      const { world, sight } = project
      const zone = zoneOf(parameters, world).name
      sight.reach(zone)
      const found = operationAsked(parameters, project)
      if (found) return writeOperation(found, world)
      throw notFound(`projects/${world.project}/zones/${zone}/operations/${parameterOf(parameters, 'operation')}`)
    },
  })
}

export const operationActions: readonly Action[] = [
  single('zoneOperations.get', 'GET', path),
  // It has been waited for before the call is done.
  single(waitName, 'POST', `${path}/wait`),
  listIn(operations, 'zones/{zone}'),
  aggregatedList(operations),
]
