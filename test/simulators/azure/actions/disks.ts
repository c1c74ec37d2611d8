import type { Account } from '../account.ts'
import { accepted, given, type Action, type ArmRequest, type Reply } from '../action.ts'
import type { Disk } from '../disks.ts'
import { ArmError } from '../errors.ts'
import { groupCalled, isInGroup, resourceNotFound } from '../groups.ts'
import { idOf, types } from '../ids.ts'
import { timeText } from '../json.ts'
import { page } from '../listing.ts'
import { paths, versions } from '../versions.ts'
import type { World } from '../world.ts'

const inGroup = `${paths.group}/providers/Microsoft.Compute/disks`
const one = `${inGroup}/{name}`

function idIn(request: ArmRequest, { world }: Account): string {
  const resourceGroup = groupCalled(given(request, 'resourceGroup'), world)
  const name = given(request, 'name')
  return idOf({ subscription: world.subscription, resourceGroup, type: types.disk, name })
}

function remove(request: ArmRequest, account: Account): Reply {
  const { disks, operations, lifecycle, clock } = account
  const found = disks.get(idIn(request, account))
  if (!found) return { status: 204 }
  if (found.attachedTo !== undefined) {
    throw new ArmError('OperationNotAllowed', `Disk ${found.name} is attached to VM ${found.attachedTo}.`)
  }
  const operation = operations.begin('Microsoft.Compute')
  found.isDeleting = true
  disks.shelf.note(found, clock.now())
  lifecycle.afterwards(() => {
    disks.remove(found, clock.now())
    operations.end(operation)
  })
  return accepted({ status: 202, operation }, request, account)
}

function diskJson(disk: Readonly<Disk>, { location }: World): object {
  return {
    name: disk.name,
    id: disk.id,
    type: types.disk,
    location,
    ...(Object.keys(disk.tags).length > 0 ? { tags: disk.tags } : {}),
    ...(disk.zone === undefined ? {} : { zones: [disk.zone] }),
    ...(disk.attachedTo === undefined ? {} : { managedBy: disk.attachedTo }),
    sku: { name: disk.sku, tier: disk.sku.split('_')[0] },
    properties: {
      ...(disk.isSystem ? { osType: 'Linux', hyperVGeneration: 'V2' } : {}),
      creationData: { createOption: disk.isSystem ? 'FromImage' : 'Empty' },
      diskSizeGB: disk.sizeGB,
      timeCreated: timeText(disk.createdAt),
      provisioningState: disk.isDeleting ? 'Deleting' : 'Succeeded',
      diskState: disk.attachedTo === undefined ? 'Unattached' : 'Attached',
    },
  }
}

function list(name: string, request: ArmRequest, account: Account, isListed: (disk: Disk) => boolean): Reply {
  const items = account.sight.look(account.disks.shelf).filter(isListed)
  return page(name, items, (item) => diskJson(item, account.world), { request, account })
}

export const diskActions: readonly Action[] = [
  {
    name: 'Disks_Get',
    method: 'GET',
    path: one,
    versions: versions.disks,
    perform(request, account) {
      const found = account.sight.find(account.disks.shelf, idIn(request, account))
      if (found) return { status: 200, body: diskJson(found, account.world) }
      throw resourceNotFound(types.disk, given(request, 'name'), given(request, 'resourceGroup'))
    },
  },
  { name: 'Disks_Delete', method: 'DELETE', path: one, versions: versions.disks, perform: remove },
  {
    name: 'Disks_ListByResourceGroup',
    method: 'GET',
    path: inGroup,
    versions: versions.disks,
    perform(request, account) {
      const group = groupCalled(given(request, 'resourceGroup'), account.world)
      return list('Disks_ListByResourceGroup', request, account, ({ id }) => isInGroup(id, group))
    },
  },
  {
    name: 'Disks_List',
    method: 'GET',
    path: `${paths.subscription}/providers/Microsoft.Compute/disks`,
    versions: versions.disks,
    perform: (request, account) => list('Disks_List', request, account, () => true),
  },
]
