import type { Ctx } from '../../../api/ctx.ts'
import { tagIn } from '../../shared/instance-name.ts'
import type { InstancePage } from '../../instances.ts'
import type { Instance } from '../../../api/instance.ts'
import type { Scope } from '../../../api/scope.ts'
import type { Arm } from '../wire/client.ts'
import { shapes } from '../wire/answers.ts'
import type { Disk, NetworkInterface, VirtualMachine } from '../wire/documents.ts'
import { idOf, readId, subscriptionPath } from '../wire/resource-ids.ts'
import { everything, pages, type Listing } from '../wire/pages.ts'
import { isHere, Parts } from './parts.ts'
import type { InstanceHistory } from './history.ts'
import { toInstance } from './state.ts'

/**
 * Every machine of ours in the subscription and region. Only one list of Azure tells the power, and it tells little
 * else: addresses and the offering come from the network interfaces. Interfaces and disks are listed first, so a part
 * without a machine in the later list really has none.
 */
export async function* list(
  scope: Scope,
  { arm, history }: { arm: Arm; history: InstanceHistory },
  ctx: Ctx,
): AsyncIterable<InstancePage> {
  const [interfaces, disks] = await Promise.all([
    everything<NetworkInterface>(arm, interfacesOf(scope), ctx),
    everything<Disk>(arm, disksOf(scope), ctx),
  ])
  const parts = new Parts(scope, interfaces, disks)
  const read = (machine: VirtualMachine): Instance => {
    const id = idOf(readId(machine.id))
    const [nic, before] = [parts.interfaceOf(id), history.of(scope, id)]
    return toInstance({ machine, nic, disk: parts.diskOf(id), before, subscription: scope.account ?? '' })
  }
  const all: Instance[] = []
  for await (const page of pages<VirtualMachine>(arm, machinesOf(scope), ctx)) {
    const items = page.items.filter((machine) => isOurs(machine, scope)).map(read)
    all.push(...items)
    if (page.next !== undefined) yield { items, complete: false }
    else {
      history.listed(scope, all, parts.attached())
      yield {
        items: [...items, ...parts.leftovers(new Set(all.map(({ id }) => id)))],
        complete: true,
        account: scope.account,
      }
    }
  }
}

function isOurs(machine: VirtualMachine, scope: Scope): boolean {
  return isHere(machine, scope) && tagIn(readId(machine.id).name) !== undefined
}

function machinesOf(scope: Scope): Listing {
  const path = subscriptionPath(scope, 'Microsoft.Compute/virtualMachines')
  return {
    scope,
    action: 'VirtualMachines_ListAll',
    path,
    query: { statusOnly: 'true' },
    shape: shapes.machine,
    retriesPages: true,
  }
}

function interfacesOf(scope: Scope): Listing {
  const path = subscriptionPath(scope, 'Microsoft.Network/networkInterfaces')
  return { scope, action: 'NetworkInterfaces_ListAll', path, shape: shapes.interface, retriesPages: true }
}

function disksOf(scope: Scope): Listing {
  const path = subscriptionPath(scope, 'Microsoft.Compute/disks')
  return { scope, action: 'Disks_List', path, shape: shapes.disk, retriesPages: true }
}
