import type { Ctx } from '../../../api/ctx.ts'
import type { Instance } from '../../../api/instance.ts'
import type { InstanceRef } from '../../instances.ts'
import type { Check } from '../../shared/shape.ts'
import { TtlCache } from '../../shared/ttl-cache.ts'
import { resourceIn, shapes } from '../wire/answers.ts'
import type { Arm, ArmRequest } from '../wire/client.ts'
import type { Disk, NetworkInterface, Resource, VirtualMachine } from '../wire/documents.ts'
import { isMissing } from '../wire/errors.ts'
import { everything } from '../wire/pages.ts'
import { disksPath, idOf, interfacePath, machinePath, vmAddressOf, type VmAddress } from '../wire/resource-ids.ts'
import type { InstanceHistory } from './history.ts'
import { toInstance } from './state.ts'

/** Direct looks at single machines. */
export class Finder {
  readonly #arm: Arm
  readonly #history: InstanceHistory
  /** Keeps nothing: calls that come while a list is under way share its answer. */
  readonly #disks = new TtlCache<readonly Disk[]>({ keepMs: () => 0 })

  constructor(arm: Arm, history: InstanceHistory) {
    this.#arm = arm
    this.#history = history
  }

  async find({ scope, id, name }: InstanceRef, ctx: Ctx): Promise<Instance | 'absent'> {
    const vm = vmAddressOf(id === undefined && name !== undefined ? { scope, name } : { scope, ...(id ? { id } : {}) })
    const machine = vm && (await this.machine(vm, ctx))
    if (!machine) return 'absent'
    const before = this.#history.of(scope, idOf(vm))
    return toInstance({ machine, before, subscription: scope.account ?? '' })
  }

  /** Undefined where Azure itself says that there is none. */
  machine(vm: VmAddress, ctx: Ctx): Promise<VirtualMachine | undefined> {
    const request = {
      action: 'VirtualMachines_Get',
      path: machinePath(vm),
      query: { $expand: 'instanceView' },
    } as const
    return this.#ifThere(vm, { shape: shapes.machine, request }, ctx)
  }

  networkInterface(vm: VmAddress, ctx: Ctx): Promise<NetworkInterface | undefined> {
    const request = { action: 'NetworkInterfaces_Get', path: interfacePath(vm) } as const
    return this.#ifThere(vm, { shape: shapes.interface, request }, ctx)
  }

  /** All disks of the machine's resource group. */
  async disksBeside({ scope, group }: VmAddress, ctx: Ctx): Promise<readonly Disk[]> {
    const path = disksPath({ scope, group })
    const what = { scope, action: 'Disks_ListByResourceGroup', path, shape: shapes.disk } as const
    try {
      return await this.#disks.get(path.toLowerCase(), () => everything<Disk>(this.#arm, what, ctx), ctx)
    } catch (thrown) {
      if (isMissing(thrown)) return []
      throw thrown
    }
  }

  async #ifThere(
    { scope }: VmAddress,
    { shape, request }: { shape: Check; request: ArmRequest },
    ctx: Ctx,
  ): Promise<Resource | undefined> {
    try {
      return resourceIn(await this.#arm.call({ scope, ...request }, ctx), shape)
    } catch (thrown) {
      if (isMissing(thrown)) return undefined
      throw thrown
    }
  }
}
