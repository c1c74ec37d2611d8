import type { Account } from '../account.ts'
import { given, callsOf, wordIn, type Action, type ArmRequest, type Reply } from '../http/action.ts'
import { ArmError } from '../http/errors.ts'
import { timeText } from '../http/json.ts'
import type { Operation, Provider } from '../http/operations.ts'
import { paths, versions } from '../http/versions.ts'

function operationOf(provider: Provider, request: ArmRequest, { operations }: Account): Operation {
  const id = given(request, 'operation')
  const found = operations.get(id)
  if (found?.provider === provider) return found
  throw new ArmError('NotFound', `The entity was not found: there is no operation '${id}'.`)
}

function show(provider: Provider, request: ArmRequest, account: Account): Reply {
  const operation = operationOf(provider, request, account)
  if (wordIn(request, 'monitor', ['true']) !== undefined) return monitor(operation, request)
  const { id, status, startedAt, endedAt, error } = operation
  if (provider === 'Microsoft.Network') {
    return { status: 200, body: { status, ...(error ? { error: { ...error, details: [] } } : {}) } }
  }
  return {
    status: 200,
    body: {
      startTime: timeText(startedAt),
      ...(endedAt === undefined ? {} : { endTime: timeText(endedAt) }),
      status,
      ...(error ? { error } : {}),
      name: id,
    },
  }
}

/** The other way to ask: 202 as long as it goes on. */
function monitor({ status, error }: Operation, { origin, path, query }: ArmRequest): Reply {
  if (error) throw new ArmError(error.code, error.message)
  if (status !== 'InProgress') return { status: 200 }
  return { status: 202, headers: { location: new URL(`${path}?${query.toString()}`, origin).href } }
}

const compute = callsOf([...versions.compute, ...versions.disks])
const network = callsOf(versions.network)
const pathOf = (provider: string) =>
  `${paths.subscription}/providers/${provider}/locations/{location}/operations/{operation}`

export const operationActions: readonly Action[] = [
  compute.get(
    'Compute_GetOperation',
    pathOf('Microsoft.Compute'),
    ['GetOperationSubscription', 'GetOperationMachine'],
    (request, account) => show('Microsoft.Compute', request, account),
  ),
  network.get('Network_GetOperation', pathOf('Microsoft.Network'), ['NetworkReads'], (request, account) =>
    show('Microsoft.Network', request, account),
  ),
]
