import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { TerminateResult, InstanceRef } from '../../instances.ts'
import type { OwnershipTag } from '../../../api/ownership.ts'
import { TtlCache } from '../../shared/ttl-cache.ts'
import type { Arm, ArmCall } from '../wire/client.ts'
import { shapes } from '../wire/answers.ts'
import type { Disk } from '../wire/documents.ts'
import { isMissing } from '../wire/errors.ts'
import { everything } from '../wire/pages.ts'
import type { Finder } from '../observe/find.ts'
import {
  carries,
  diskPath,
  disksPath,
  interfacePath,
  machineOfDisk,
  machinePath,
  vmAddressOf,
  type VmAddress,
} from '../wire/resource-ids.ts'
import { isAnothers, readMark } from '../observe/ownership.ts'
import { notOurs, tenantOf } from '../../shared/ownership.ts'
import type { InstanceHistory } from '../observe/history.ts'
import { toInstance } from '../observe/state.ts'

/** Azure keeps an interface for 3 minutes for a machine that could not be made. So often it is asked again. */
const heldMs = 30_000

interface Known {
  readonly finder: Finder
  readonly history: InstanceHistory
}

/** Ends a machine, or what one left behind. */
export class Terminator {
  readonly #arm: Arm
  readonly #finder: Finder
  readonly #history: InstanceHistory
  /** Keeps nothing: calls that come while a list is under way share its answer. */
  readonly #disks = new TtlCache<readonly Disk[]>({ keepMs: () => 0 })

  constructor(arm: Arm, { finder, history }: Known) {
    this.#arm = arm
    this.#finder = finder
    this.#history = history
  }

  async terminate(which: InstanceRef, ctx: Ctx): Promise<TerminateResult> {
    const vm = vmAddressOf(which)
    if (!vm) return 'gone'
    if (!carries(vm.name, which.tag)) throw notOurs(`Virtual machine ${vm.name}`)
    const machine = await this.#finder.machine(vm, ctx)
    if (machine) {
      if (isAnothers(machine.tags ?? {}, which.tag)) throw notOurs(`Virtual machine ${vm.name}`)
      if (machine.properties?.provisioningState?.toLowerCase() === 'deleting') return 'going'
      const query = { forceDeletion: 'true' }
      const whose = tenantOf(which.tag)
      const call = {
        scope: vm.scope,
        action: 'VirtualMachines_Delete',
        whose,
        path: machinePath(vm),
        query,
      } as const
      await this.#delete(call, ctx)
      this.#history.ended(toInstance({ machine, subscription: vm.scope.account ?? '' }))
      return 'going'
    }
    const ends = await Promise.all([this.#removeInterface(vm, which.tag, ctx), this.#removeDisks(vm, which.tag, ctx)])
    return slowestOf(ends)
  }

  async #removeInterface(vm: VmAddress, tag: OwnershipTag, ctx: Ctx): Promise<TerminateResult> {
    const nic = await this.#finder.networkInterface(vm, ctx)
    if (!nic) return 'gone'
    if (isAnothers(nic.tags ?? {}, tag)) throw notOurs(`Network interface ${nic.name}`)
    // Its machine is not shown yet, or is being deleted and takes it along.
    if (nic.properties?.virtualMachine) return 'later'
    try {
      return await this.#delete({ scope: vm.scope, action: 'NetworkInterfaces_Delete', path: interfacePath(vm) }, ctx)
    } catch (thrown) {
      throw thrown instanceof CloudError && thrown.code === 'NicReservedForAnotherVm' ? held(thrown) : thrown
    }
  }

  /** Nothing tells any more how many disks the machine had, so they are listed. */
  async #removeDisks(vm: VmAddress, tag: OwnershipTag, ctx: Ctx): Promise<TerminateResult> {
    const disks = (await this.#disksOf(vm, ctx)).filter(
      ({ name, tags }) => machineOfDisk(name.toLowerCase()) === vm.name && !(readMark(tags) && isAnothers(tags, tag)),
    )
    const ends = await Promise.all(
      disks.map(async ({ name, managedBy }): Promise<TerminateResult> => {
        if (managedBy) return 'later'
        return this.#delete({ scope: vm.scope, action: 'Disks_Delete', path: diskPath(vm, name) }, ctx)
      }),
    )
    return slowestOf(ends)
  }

  async #disksOf({ scope, group }: VmAddress, ctx: Ctx): Promise<readonly Disk[]> {
    const path = disksPath({ scope, group })
    const what = { scope, action: 'Disks_ListByResourceGroup', path, shape: shapes.disk } as const
    const ask = () => everything<Disk>(this.#arm, what, ctx)
    try {
      return await this.#disks.get(path.toLowerCase(), ask, ctx)
    } catch (thrown) {
      if (isMissing(thrown)) return []
      throw thrown
    }
  }

  async #delete(call: ArmCall, ctx: Ctx): Promise<TerminateResult> {
    try {
      const { status } = await this.#arm.call(call, ctx)
      return status === 204 ? 'gone' : 'going'
    } catch (thrown) {
      if (isMissing(thrown)) return 'gone'
      throw thrown
    }
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
