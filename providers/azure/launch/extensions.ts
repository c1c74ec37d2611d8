import type { Ctx } from '../../../api/ctx.ts'
import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { notOurs } from '../../shared/ownership.ts'
import { RecentMap } from '../../shared/recent-map.ts'
import type { InstanceRef } from '../../instances.ts'
import { pathOf } from '../../wire/path.ts'
import type { Arm } from '../wire/client.ts'
import { pageIn, shapes } from '../wire/answers.ts'
import type { Extension } from '../wire/documents.ts'
import { carries, machinePath, vmAddressOf, type VmAddress } from '../wire/resource-ids.ts'

type Wanted = NonNullable<AzureMachineSpec['vmExtensions']>[number]

/** Beyond so many, the machine that was ready first is forgotten, and costs one list more. */
const mostRemembered = 10_000

/**
 * The extensions of a virtual machine. Azure takes them only once the machine runs, one after the other. They belong to
 * the machine, and end with it.
 */
export class Extensions {
  readonly #arm: Arm
  /** The names of machines that have all of theirs. Azure is asked about any other. */
  readonly #done = new RecentMap<true>(mostRemembered)

  constructor(arm: Arm) {
    this.#arm = arm
  }

  /** Called again until it answers 'done'. A failed extension is refused as 'invalid'. */
  async install(wanted: readonly Wanted[], which: InstanceRef, ctx: Ctx): Promise<'done' | 'later'> {
    const vm = vmAddressOf(which)
    if (wanted.length === 0 || !vm) return 'done'
    if (!carries(vm.name, which.tag)) throw notOurs(`Virtual machine ${vm.name}`)
    if (this.#done.has(vm.name)) return 'done'
    const states = await this.#statesIn(vm, ctx)
    const failed = wanted.find(({ name }) => states.get(name.toLowerCase()) === 'failed')
    if (failed) throw refused(failed.name, 'VMExtensionProvisioningError', 'it failed on the machine')
    const missing = wanted.find(({ name }) => !states.has(name.toLowerCase()))
    const areReady = wanted.every(({ name }) => states.get(name.toLowerCase()) === 'succeeded')
    if (areReady) {
      this.#done.set(vm.name, true)
      return 'done'
    }
    if (missing && [...states.values()].every((state) => state === 'succeeded')) await this.#put(vm, missing, ctx)
    return 'later'
  }

  /** The state of each extension, by its name in small letters. */
  async #statesIn(vm: VmAddress, ctx: Ctx): Promise<ReadonlyMap<string, string>> {
    const action = 'VirtualMachineExtensions_List'
    const answer = await this.#arm.call({ scope: vm.scope, action, path: `${machinePath(vm)}/extensions` }, ctx)
    const { items } = pageIn<Extension>(answer, shapes.extension)
    return new Map(
      items.map(({ name, properties }) => [name.toLowerCase(), properties?.provisioningState?.toLowerCase() ?? '']),
    )
  }

  /** Azure's own words are not passed on: they may repeat the protected settings. */
  async #put(vm: VmAddress, wanted: Wanted, ctx: Ctx): Promise<void> {
    const { name, publisher, version, settings, protectedSettings } = wanted
    const properties = { publisher, type: name, typeHandlerVersion: version, settings, protectedSettings }
    const body = { location: vm.scope.region, properties }
    const path = `${machinePath(vm)}/${pathOf(['extensions', name])}`
    try {
      await this.#arm.call({ scope: vm.scope, action: 'VirtualMachineExtensions_CreateOrUpdate', path, body }, ctx)
    } catch (thrown) {
      if (!(thrown instanceof CloudError)) throw thrown
      if (thrown.kind === 'invalid') throw refused(name, thrown.code, 'Azure refuses it')
      // Another operation on the machine is under way.
      if (thrown.kind === 'conflict') return
      const { kind, code, retryAfterMs } = thrown
      throw new CloudError(kind, { code, message: `Azure did not accept extension ${name} yet.`, retryAfterMs })
    }
  }
}

function refused(name: string, code: string, why: string): CloudError {
  const message =
    `spec.vmExtensions of the AzureMachine: extension ${name} is not installed, ${why} (${code}). Look at the ` +
    'extension in Azure, correct it in a new AzureMachineTemplate, and name that in the MachineDeployment.'
  return new CloudError('invalid', { code, message })
}
