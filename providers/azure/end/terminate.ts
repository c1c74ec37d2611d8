import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { TerminateResult, InstanceRef } from '../../instances.ts'
import type { OwnershipTag } from '../../../api/ownership.ts'
import type { Arm, ArmCall } from '../wire/client.ts'
import type { VirtualMachine } from '../wire/documents.ts'
import { isMissing } from '../wire/errors.ts'
import type { Finder } from '../observe/find.ts'
import {
  carries,
  diskPath,
  interfacePath,
  machineOfDisk,
  machinePath,
  vmAddressOf,
  type VmAddress,
} from '../wire/resource-ids.ts'
import { isAnothers, readTag } from '../observe/ownership.ts'
import { notOurs, tenantOf } from '../../shared/ownership.ts'
import type { InstanceHistory } from '../observe/history.ts'
import { toInstance } from '../observe/state.ts'

/** Azure keeps an interface for 3 minutes for a machine that could not be made. So often it is asked again. */
const heldMs = 30_000

interface Tools {
  readonly arm: Arm
  readonly finder: Finder
  readonly history: InstanceHistory
}

interface Asked extends Tools {
  readonly vm: VmAddress
  readonly tag: OwnershipTag
}

/** Ends a machine, or removes the parts that one left behind. */
export async function terminate(which: InstanceRef, tools: Tools, ctx: Ctx): Promise<TerminateResult> {
  const vm = vmAddressOf(which)
  if (!vm) return 'gone'
  const { tag } = which
  if (!carries(vm.name, tag)) throw notOurs(`Virtual machine ${vm.name}`)
  const asked = { ...tools, vm, tag }
  const machine = await tools.finder.machine(vm, ctx)
  if (machine) return removeMachine(asked, machine, ctx)
  return slowestOf(await Promise.all([removeInterface(asked, ctx), removeDisks(asked, ctx)]))
}

async function removeMachine(
  { arm, history, vm, tag }: Asked,
  machine: VirtualMachine,
  ctx: Ctx,
): Promise<TerminateResult> {
  const { scope } = vm
  if (isAnothers(machine.tags ?? {}, tag)) throw notOurs(`Virtual machine ${vm.name}`)
  if (machine.properties?.provisioningState?.toLowerCase() === 'deleting') return 'going'
  const request = { path: machinePath(vm), query: { forceDeletion: 'true' } }
  await deleteIt(arm, { scope, action: 'VirtualMachines_Delete', whose: tenantOf(tag), ...request }, ctx)
  history.ended(toInstance({ machine, subscription: scope.account ?? '' }))
  return 'going'
}

async function removeInterface({ arm, finder, vm, tag }: Asked, ctx: Ctx): Promise<TerminateResult> {
  const nic = await finder.networkInterface(vm, ctx)
  if (!nic) return 'gone'
  if (isAnothers(nic.tags ?? {}, tag)) throw notOurs(`Network interface ${nic.name}`)
  // Its machine is not shown yet, or is being deleted and takes it along.
  if (nic.properties?.virtualMachine) return 'later'
  try {
    return await deleteIt(arm, { scope: vm.scope, action: 'NetworkInterfaces_Delete', path: interfacePath(vm) }, ctx)
  } catch (thrown) {
    throw thrown instanceof CloudError && thrown.code === 'NicReservedForAnotherVm' ? held(thrown) : thrown
  }
}

/** Nothing tells any more how many disks the machine had, so all disks of its group are looked through. */
async function removeDisks({ arm, finder, vm, tag }: Asked, ctx: Ctx): Promise<TerminateResult> {
  const disks = (await finder.disksBeside(vm, ctx)).filter(
    ({ name, tags }) => machineOfDisk(name.toLowerCase()) === vm.name && !(readTag(tags) && isAnothers(tags, tag)),
  )
  const ends = await Promise.all(
    disks.map(async ({ name, managedBy }): Promise<TerminateResult> => {
      if (managedBy) return 'later'
      return deleteIt(arm, { scope: vm.scope, action: 'Disks_Delete', path: diskPath(vm, name) }, ctx)
    }),
  )
  return slowestOf(ends)
}

async function deleteIt(arm: Arm, call: ArmCall, ctx: Ctx): Promise<TerminateResult> {
  try {
    const { status } = await arm.call(call, ctx)
    return status === 204 ? 'gone' : 'going'
  } catch (thrown) {
    if (isMissing(thrown)) return 'gone'
    throw thrown
  }
}

function held({ code, message }: CloudError): CloudError {
  return new CloudError('transient', { code, message, retryAfterMs: heldMs })
}

/** A disk or an interface that is still attached proves that its machine exists. */
function slowestOf(ends: readonly TerminateResult[]): TerminateResult {
  if (ends.includes('later')) return 'later'
  return ends.includes('going') ? 'going' : 'gone'
}
