import type { Account } from '../account.ts'
import { accepted, callsOf, given, wordIn, type Action, type ArmRequest, type Reply } from '../http/action.ts'
import { computeWording, decode } from '../http/decode.ts'
import { notSimulated } from '../http/errors.ts'
import { each, map, output, text, unplayed } from '../../kit/http/schema.ts'
import { shouted, types } from '../ids.ts'
import { instanceJson, instanceViewJson, statusJson } from '../instances/instance-json.ts'
import type { Instance } from '../instances/instance.ts'
import { Kind } from '../kind.ts'
import { page } from '../http/listing.ts'
import { normal } from '../location.ts'
import { checkTags } from '../instances/tags.ts'
import { paths, versions } from '../http/versions.ts'
import { putVirtualMachine } from '../launch/put.ts'

const kind = new Kind(types.virtualMachine, ({ instances }) => instances)

/** The machine that a call is about, as calls that change something know it. */
export function machineOf(request: ArmRequest, account: Account): Instance {
  const found = account.instances.get(kind.idIn(request, account))
  if (!found) throw kind.notFound(request)
  return found
}

function remove(request: ArmRequest, account: Account): Reply {
  const force = wordIn(request, 'forceDeletion', ['true', 'false'])
  const instance = account.instances.get(kind.idIn(request, account))
  if (!instance) return { status: 204 }
  const operation = account.operations.begin('Microsoft.Compute')
  account.lifecycle.remove(instance, { force: force === 'true' }, operation)
  return accepted({ status: 202, operation }, request, account)
}

function updateTags(request: ArmRequest, account: Account): Reply {
  const fields = {
    tags: map(text),
    ...each(unplayed, 'identity zones plan properties'),
    id: output,
  }
  const { tags } = decode('VirtualMachineUpdate', fields, request.body, computeWording)
  const instance = machineOf(request, account)
  if (tags) instance.tags = checkTags(tags)
  account.instances.note(instance, account.clock.now())
  const operation = account.operations.begin('Microsoft.Compute')
  account.operations.end(operation)
  return accepted({ status: 200, body: instanceJson(instance), operation }, request, account)
}

/** A list, of which some parameters are not simulated. */
function listed(perform: Action['perform']): Action['perform'] {
  return (request, account) => {
    for (const parameter of ['$filter', '$expand']) {
      if (request.query.has(parameter)) throw notSimulated(`the parameter ${parameter} of lists`)
    }
    return perform(request, account)
  }
}

/** All of a subscription, without states, unless it is asked for nothing but states. */
function listAll(request: ArmRequest, account: Account): Reply {
  const statusOnly = wordIn(request, 'statusOnly', ['true', 'false']) === 'true'
  const list = kind.list('VirtualMachines_ListAll', (item) => {
    const loud = { ...item, id: shouted(item.id) }
    return statusOnly ? statusJson(loud, account) : instanceJson(loud)
  })
  return list(request, account)
}

function listByLocation(request: ArmRequest, account: Account): Reply {
  const location = normal(given(request, 'location'))
  const items = account.sight.look(account.instances).filter(({ plan }) => plan.location === location)
  return page('VirtualMachines_ListByLocation', items, (item) => instanceJson(item), { request, account })
}

const highCost = ['HighCostGetVMSubscription'] as const
const lowCost = ['LowCostGetVMSubscription', 'LowCostGetVMMachine'] as const

const call = callsOf(versions.compute)

export const virtualMachineActions: readonly Action[] = [
  call.put('VirtualMachines_CreateOrUpdate', kind.one, ['PutVMSubscription', 'PutVMMachine'], putVirtualMachine),
  call.patch('VirtualMachines_Update', kind.one, ['UpdateVMSubscription', 'UpdateVMMachine'], updateTags),
  call.get('VirtualMachines_Get', kind.one, lowCost, (request, account) => {
    const expand = wordIn(request, '$expand', ['instanceView', 'userData', 'resiliencyView'])
    const shown = { instanceView: expand === 'instanceView', userData: expand === 'userData' }
    return { status: 200, body: instanceJson(kind.seen(request, account), shown) }
  }),
  call.get('VirtualMachines_InstanceView', `${kind.one}/instanceView`, lowCost, (request, account) => ({
    status: 200,
    body: instanceViewJson(kind.seen(request, account)),
  })),
  call.remove('VirtualMachines_Delete', kind.one, ['DeleteVMSubscription', 'DeleteVMMachine'], remove),
  call.get(
    'VirtualMachines_List',
    kind.inGroup,
    highCost,
    listed(kind.list('VirtualMachines_List', (one) => instanceJson(one))),
  ),
  call.get('VirtualMachines_ListAll', kind.inSubscription, highCost, listed(listAll)),
  call.get(
    'VirtualMachines_ListByLocation',
    `${paths.subscription}/providers/Microsoft.Compute/locations/{location}/virtualMachines`,
    highCost,
    listed(listByLocation),
  ),
]
