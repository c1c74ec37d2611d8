import type { Account } from '../account.ts'
import { accepted, given, wordIn, type Action, type ArmRequest, type Reply } from '../action.ts'
import { computeWording, decode } from '../decode.ts'
import { notSimulated } from '../errors.ts'
import { each, map, output, text, unplayed } from '../../kit/schema.ts'
import { groupCalled, isInGroup, resourceNotFound } from '../groups.ts'
import { idOf, shouted, types } from '../ids.ts'
import { instanceJson, instanceViewJson, statusJson } from '../instance-json.ts'
import type { Instance } from '../instance.ts'
import { page } from '../listing.ts'
import { normal } from '../location.ts'
import { checkTags } from '../tags.ts'
import { paths, versions } from '../versions.ts'
import { putVirtualMachine } from '../virtual-machine/put.ts'

const inGroup = `${paths.group}/providers/Microsoft.Compute/virtualMachines`
const inSubscription = `${paths.subscription}/providers/Microsoft.Compute`
const one = `${inGroup}/{name}`

/** The machine that a call is about, as calls that change something know it. */
export function machineOf(request: ArmRequest, account: Account): Instance {
  const found = account.instances.get(idIn(request, account))
  if (!found) throw notFound(request)
  return found
}

function seenMachine(request: ArmRequest, { sight, instances, world }: Account): Instance {
  const found = sight.find(instances, idIn(request, { world }))
  if (!found) throw notFound(request)
  return found
}

function idIn(request: ArmRequest, { world }: Pick<Account, 'world'>): string {
  const resourceGroup = groupCalled(given(request, 'resourceGroup'), world)
  const name = given(request, 'name')
  return idOf({ subscription: world.subscription, resourceGroup, type: types.virtualMachine, name })
}

function notFound(request: ArmRequest) {
  return resourceNotFound(types.virtualMachine, given(request, 'name'), given(request, 'resourceGroup'))
}

function remove(request: ArmRequest, account: Account): Reply {
  const force = wordIn(request, 'forceDeletion', ['true', 'false'])
  const instance = account.instances.get(idIn(request, account))
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

/** A list without states, unless it is the list of nothing but states. */
function list(
  name: string,
  request: ArmRequest,
  account: Account,
  { isListed, write }: { isListed: (instance: Instance) => boolean; write: (instance: Instance) => object },
): Reply {
  for (const parameter of ['$filter', '$expand']) {
    if (request.query.has(parameter)) throw notSimulated(`the parameter ${parameter} of lists`)
  }
  const items = account.sight.look(account.instances).filter(isListed)
  return page(name, items, write, { request, account })
}

const highCost = ['HighCostGetVMSubscription'] as const
const lowCost = ['LowCostGetVMSubscription', 'LowCostGetVMMachine'] as const

export const virtualMachineActions: readonly Action[] = [
  {
    name: 'VirtualMachines_CreateOrUpdate',
    method: 'PUT',
    path: one,
    versions: versions.compute,
    buckets: ['PutVMSubscription', 'PutVMMachine'],
    perform: putVirtualMachine,
  },
  {
    name: 'VirtualMachines_Update',
    method: 'PATCH',
    path: one,
    versions: versions.compute,
    buckets: ['UpdateVMSubscription', 'UpdateVMMachine'],
    perform: updateTags,
  },
  {
    name: 'VirtualMachines_Get',
    method: 'GET',
    path: one,
    versions: versions.compute,
    buckets: lowCost,
    perform(request, account) {
      const expand = wordIn(request, '$expand', ['instanceView', 'userData', 'resiliencyView'])
      const shown = { instanceView: expand === 'instanceView', userData: expand === 'userData' }
      return { status: 200, body: instanceJson(seenMachine(request, account), shown) }
    },
  },
  {
    name: 'VirtualMachines_InstanceView',
    method: 'GET',
    path: `${one}/instanceView`,
    versions: versions.compute,
    buckets: lowCost,
    perform: (request, account) => ({ status: 200, body: instanceViewJson(seenMachine(request, account)) }),
  },
  {
    name: 'VirtualMachines_Delete',
    method: 'DELETE',
    path: one,
    versions: versions.compute,
    buckets: ['DeleteVMSubscription', 'DeleteVMMachine'],
    perform: remove,
  },
  {
    name: 'VirtualMachines_List',
    method: 'GET',
    path: inGroup,
    versions: versions.compute,
    buckets: highCost,
    perform(request, account) {
      const group = groupCalled(given(request, 'resourceGroup'), account.world)
      const isListed = ({ id }: Instance) => isInGroup(id, group)
      return list('VirtualMachines_List', request, account, { isListed, write: (item) => instanceJson(item) })
    },
  },
  {
    name: 'VirtualMachines_ListAll',
    method: 'GET',
    path: `${inSubscription}/virtualMachines`,
    versions: versions.compute,
    buckets: highCost,
    perform(request, account) {
      const statusOnly = wordIn(request, 'statusOnly', ['true', 'false']) === 'true'
      const write = (item: Instance) => {
        const loud = { ...item, id: shouted(item.id) }
        return statusOnly ? statusJson(loud, account) : instanceJson(loud)
      }
      return list('VirtualMachines_ListAll', request, account, { isListed: () => true, write })
    },
  },
  {
    name: 'VirtualMachines_ListByLocation',
    method: 'GET',
    path: `${inSubscription}/locations/{location}/virtualMachines`,
    versions: versions.compute,
    buckets: highCost,
    perform(request, account) {
      const location = normal(given(request, 'location'))
      const isListed = ({ plan }: Instance) => plan.location === location
      return list('VirtualMachines_ListByLocation', request, account, { isListed, write: (item) => instanceJson(item) })
    },
  },
]
