import { action, type Action } from '../http/action.ts'
import { IbmError, notFound } from '../http/errors.ts'
import { kinds } from '../ids.ts'
import { listing } from '../http/listing.ts'
import type { Volume } from '../instances/volumes.ts'
import { hrefOf, reference, resourceGroupReference, time, zoneReference, type Base } from '../http/write.ts'

const path = '/v1/volumes'

const read = listing<Volume>({
  names: ['list_volumes', 'get_volume'],
  path,
  collection: 'volumes',
  called: 'Volume',
  items: ({ volumes }) => volumes.all,
  filters: {
    name: ({ name }) => [name],
    attachment_state: (volume) => [attachmentState(volume)],
    encryption: (volume) => [encryption(volume)],
    'zone.name': ({ zone }) => [zone.name],
    tag: ({ tags }) => tags,
    'operating_system.family': ({ image }) => [image ? 'Ubuntu Linux' : 'null'],
    'operating_system.architecture': ({ image }) => [image?.architecture ?? 'null'],
    storage_generation: () => ['1'],
  },
  place: ({ number }) => number,
  idOf: ({ id }) => id,
  write: (volume, { base }) => writeVolume(volume, base),
})

function attachmentState({ attachment }: Volume): string {
  return attachment ? 'attached' : 'unattached'
}

function encryption({ encryptionKey }: Volume): string {
  return encryptionKey === undefined ? 'provider_managed' : 'user_managed'
}

function writeVolume(volume: Volume, base: Base) {
  const { image, encryptionKey, capacityGB, iops, bandwidth, profile, tags } = volume
  return {
    ...reference(kinds.volume, volume, base),
    created_at: time(volume.createdAt),
    status: 'available',
    status_reasons: [],
    health_state: 'ok',
    health_reasons: [],
    active: volume.attachment !== undefined,
    busy: false,
    attachment_state: attachmentState(volume),
    adjustable_capacity_states: ['attached'],
    adjustable_iops_states: ['attached'],
    capacity: capacityGB,
    iops,
    bandwidth,
    storage_generation: 1,
    profile: { href: `${base.url}/volume/profiles/${profile}`, name: profile },
    encryption: encryption(volume),
    ...(encryptionKey === undefined ? {} : { encryption_key: { crn: encryptionKey } }),
    ...(image && { source_image: reference(kinds.image, image, base) }),
    user_tags: tags,
    software_attachments: [],
    volume_attachments: writeAttachments(volume, base),
    zone: zoneReference(volume.zone, base),
    resource_group: resourceGroupReference(volume.resourceGroup),
  }
}

function writeAttachments({ attachment, deletedWithInstance, isBoot }: Volume, base: Base) {
  if (!attachment) return []
  const { id, name, instance } = attachment
  return [
    {
      id,
      name,
      href: `${hrefOf(kinds.instance, instance, base)}/volume_attachments/${id}`,
      delete_volume_on_instance_delete: deletedWithInstance,
      device: { id: `${id}-device` },
      instance: reference(kinds.instance, instance, base),
      type: isBoot ? 'boot' : 'data',
    },
  ]
}

const remove = action({
  name: 'delete_volume',
  method: 'DELETE',
  path: `${path}/{id}`,
  perform(_, { path: { id = '' } }, { volumes }) {
    const found = volumes.get(id)
    if (!found) throw notFound('Volume', id)
    if (found.attachment) throw new IbmError('volume_still_attached', 'The volume is still attached to an instance.')
    volumes.remove(found)
    return { status: 204 }
  },
})

export const volumeActions: readonly Action[] = [...read, remove]
