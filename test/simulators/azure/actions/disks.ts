import type { Account } from '../account.ts'
import { accepted, callsOf, type Action, type ArmRequest, type Reply } from '../http/action.ts'
import type { Disk } from '../instances/disks.ts'
import { ArmError } from '../http/errors.ts'
import { types } from '../ids.ts'
import { timeText } from '../http/json.ts'
import { Kind } from '../kind.ts'
import { versions } from '../http/versions.ts'
import type { World } from '../world.ts'

const kind = new Kind(types.disk, ({ disks }) => disks.shelf)

function remove(request: ArmRequest, account: Account): Reply {
  const { disks, operations, lifecycle, clock } = account
  const found = disks.get(kind.idIn(request, account))
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

const call = callsOf(versions.disks)

const write = (disk: Readonly<Disk>, { world }: Account) => diskJson(disk, world)

export const diskActions: readonly Action[] = [
  call.get('Disks_Get', kind.one, [], (request, account) => ({
    status: 200,
    body: write(kind.seen(request, account), account),
  })),
  call.remove('Disks_Delete', kind.one, [], remove),
  call.get('Disks_ListByResourceGroup', kind.inGroup, [], kind.list('Disks_ListByResourceGroup', write)),
  call.get('Disks_List', kind.inSubscription, [], kind.list('Disks_List', write)),
]
