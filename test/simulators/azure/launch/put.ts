import { randomUUID } from 'node:crypto'
import type { Account } from '../account.ts'
import { accepted, checkPreconditions, given, type ArmRequest, type Reply } from '../http/action.ts'
import { computeWording, decode } from '../http/decode.ts'
import { groupCalled } from '../groups.ts'
import { idOf, types, nameIn } from '../ids.ts'
import { instanceJson } from '../instances/instance-json.ts'
import type { Instance } from '../instances/instance.ts'
import { etagOf } from '../http/json.ts'
import { claimParts } from '../instances/parts.ts'
import { virtualMachineFields } from './fields.ts'
import { plan } from './plan.ts'
import { checkSupply } from './supply.ts'
import { update } from './update.ts'

/** Makes a machine, or changes the one that has the name already. */
export function putVirtualMachine(request: ArmRequest, account: Account): Reply {
  const { instances, world, clock } = account
  const name = given(request, 'name')
  const resourceGroup = groupCalled(given(request, 'resourceGroup'), world)
  const id = idOf({ subscription: world.subscription, resourceGroup, type: types.virtualMachine, name })
  const values = decode('VirtualMachine', virtualMachineFields, request.body, computeWording)
  const existing = instances.get(id)
  checkPreconditions(request, existing && { etag: etagOf(existing) })
  if (existing) return update(existing, values, request, account)

  const planned = plan(values, { resourceGroup, name }, account)
  account.quotas.check(planned, instances.all)
  const refusal = checkSupply(planned, id, account) ?? account.launches.takeRefusal()
  const instance: Instance = {
    id,
    vmId: randomUUID(),
    plan: planned,
    tags: planned.tags,
    number: instances.nextNumber(),
    createdAt: clock.now(),
    changedAt: clock.now(),
    provisioning: 'Creating',
    power: undefined,
    failure: undefined,
    extensions: new Map(),
  }
  instances.add(instance)
  if (refusal) account.capacity.refuse(instance, nameIn(instance.id))
  claimParts(instance, account)
  const operation = account.operations.begin('Microsoft.Compute')
  account.lifecycle.launch(instance, operation, refusal)
  return accepted({ status: 201, body: instanceJson(instance), operation }, request, account)
}
