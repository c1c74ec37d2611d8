import type { Ctx } from '../../../api/ctx.ts'
import type { Check } from '../../shared/shape.ts'
import type { Arm } from '../wire/client.ts'
import { resourceIn, shapes, type NetworkInterface, type Resource, type VirtualMachine } from '../wire/documents.ts'
import { isMissing } from '../wire/errors.ts'
import { interfacePath, machinePath, type Place } from '../wire/resource-ids.ts'

/** A direct look at the machine of this name; undefined where Azure itself says that there is none. */
export function lookAtMachine(arm: Arm, place: Place, ctx: Ctx): Promise<VirtualMachine | undefined> {
  const query = { $expand: 'instanceView' }
  const what = { arm, place, shape: shapes.machine }
  return look(what, { action: 'VirtualMachines_Get', path: machinePath(place), query }, ctx)
}

export function lookAtInterface(arm: Arm, place: Place, ctx: Ctx): Promise<NetworkInterface | undefined> {
  const what = { arm, place, shape: shapes.interface }
  return look(what, { action: 'NetworkInterfaces_Get', path: interfacePath(place) }, ctx)
}

async function look(
  { arm, place: { scope }, shape }: { arm: Arm; place: Place; shape: Check },
  request: Omit<Parameters<Arm['call']>[0], 'scope'>,
  ctx: Ctx,
): Promise<Resource | undefined> {
  try {
    return resourceIn(await arm.call({ scope, ...request }, ctx), shape)
  } catch (thrown) {
    if (isMissing(thrown)) return undefined
    throw thrown
  }
}
