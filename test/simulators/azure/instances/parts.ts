import type { Account } from '../account.ts'
import type { Instance } from './instance.ts'

/** Gives a machine that was accepted what it asked for: from now on its interfaces and disks belong to it. */
export function claimParts({ id, plan }: Instance, { interfaces, disks, clock }: Account): void {
  const now = clock.now()
  for (const { id: interfaceId, isPrimary } of plan.interfaces) {
    const one = interfaces.get(interfaceId)
    if (one) interfaces.attach(one, id, { isPrimary, now })
  }
  for (const disk of [plan.osDisk, ...plan.dataDisks]) disks.make(plan, disk, { vm: id, now })
}

/**
 * What becomes of a machine's parts at its end: by their delete option they go with it or stay behind. `evicted`: Azure
 * took it back, and then its disks go whatever the option.
 */
export function releaseParts(
  { id, plan, failure }: Instance,
  { evicted }: { evicted: boolean },
  account: Account,
): void {
  const { interfaces, disks, clock } = account
  const now = clock.now()
  for (const { id: interfaceId, deleteOption } of plan.interfaces) {
    const one = interfaces.get(interfaceId)
    if (one?.attachedTo !== id) continue
    if (deleteOption === 'Delete') removeInterface(interfaceId, account)
    else {
      interfaces.detach(one, now)
      if (failure) holdInterface(interfaceId, id, account)
    }
  }
  for (const { id: diskId, deleteOption } of [plan.osDisk, ...plan.dataDisks]) {
    const disk = disks.get(diskId)
    if (disk?.attachedTo !== id) continue
    if (evicted || deleteOption === 'Delete') disks.remove(disk, now)
    else disks.detach(disk, now)
  }
}

/** Keeps an interface for the machine that it was meant for, after a launch that came to nothing. */
export function holdInterface(id: string, vm: string, { interfaces, clock }: Account): void {
  const one = interfaces.get(id)
  if (!one || interfaces.holdMs === 0) return
  one.hold = { vm, until: clock.now() + interfaces.holdMs }
}

/** With its public addresses, where their delete option says so. */
export function removeInterface(id: string, { interfaces, publicAddresses, clock }: Account): void {
  const one = interfaces.get(id)
  if (!one) return
  const now = clock.now()
  for (const { publicAddress } of one.addresses) {
    const address = publicAddress && publicAddresses.get(publicAddress.id)
    if (!address) continue
    if (publicAddress.deleteOption === 'Delete') publicAddresses.shelf.remove(address, now)
    else publicAddresses.attach(address, undefined, now)
  }
  interfaces.remove(one, now)
}
