import type { Account } from '../account.ts'
import { action, type Action } from '../action.ts'
import { Ec2Error } from '../errors.ts'
import { list, required, text } from '../fields.ts'
import type { TaggedKind } from '../instance.ts'
import { describe } from '../listing.ts'
import { checkMetadataKeys, checkTagCount, checkTags, tagsField } from '../tags.ts'
import type { Tag } from '../world.ts'

interface Tagged {
  readonly id: string
  readonly kind: TaggedKind
  readonly holder: { tags: readonly Tag[] }
  /** Its keys stand in a path of the instance's metadata. */
  readonly inMetadata: boolean
}

/** All that launches have made and that can be tagged afterwards. */
function tagged({ instances, clock }: Account): readonly Tagged[] {
  return instances.visible(clock.now()).flatMap((instance) => [
    {
      id: instance.id,
      kind: 'instance' as const,
      holder: instance,
      inMetadata: instance.plan.metadata.tags === 'enabled',
    },
    ...instance.volumes.map((volume) => part(volume.id, 'volume', volume)),
    ...instance.interfaces.map((one) => part(one.id, 'network-interface', one)),
    ...(instance.spot ? [part(instance.spot.id, 'spot-instances-request', instance.spot)] : []),
  ])
}

function part(id: string, kind: TaggedKind, holder: Tagged['holder']): Tagged {
  return { id, kind, holder, inMetadata: false }
}

function find(wanted: readonly string[], account: Account): readonly Tagged[] {
  const byId = new Map(tagged(account).map((one) => [one.id, one]))
  return wanted.map((id) => {
    const found = byId.get(id)
    if (found) return found
    if (id.startsWith('i-')) {
      throw new Ec2Error('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`)
    }
    throw new Ec2Error('InvalidID', `The ID '${id}' is not valid`)
  })
}

/** What the tags of each resource would become; throws where EC2 would refuse. */
function retagged(wanted: readonly string[], tags: readonly Tag[], account: Account) {
  return find(wanted, account).map(({ holder, inMetadata }) => {
    if (inMetadata) checkMetadataKeys(tags)
    const kept = holder.tags.filter(({ key }) => !tags.some((tag) => tag.key === key))
    checkTagCount(kept.length + tags.length)
    return { holder, tags: [...kept, ...tags] }
  })
}

const createTags = action({
  name: 'CreateTags',
  fields: { ResourceId: required(list(text)), Tag: required(tagsField) },
  check: ({ ResourceId, Tag }, account) => void retagged(ResourceId, checkTags(Tag, 'Tag'), account),
  perform({ ResourceId, Tag }, account) {
    for (const { holder, tags } of retagged(ResourceId, checkTags(Tag, 'Tag'), account)) holder.tags = tags
    return { return: true }
  },
})

const deleteTags = action({
  name: 'DeleteTags',
  fields: { ResourceId: required(list(text)), Tag: tagsField },
  check: ({ ResourceId }, account) => void find(ResourceId, account),
  perform({ ResourceId, Tag: doomed }, account) {
    for (const { holder } of find(ResourceId, account)) {
      // Without tags: all of them. A tag without a value: whatever its value is.
      holder.tags = holder.tags.filter(
        ({ key, value }) => doomed && !doomed.some((tag) => tag.Key === key && (tag.Value ?? value) === value),
      )
    }
    return { return: true }
  },
})

interface TagEntry extends Tag {
  readonly id: string
  readonly kind: TaggedKind
}

const describeTags = describe<TagEntry>({
  name: 'DescribeTags',
  set: 'tagSet',
  items: (account) =>
    tagged(account).flatMap(({ id, kind, holder }) => holder.tags.map((tag) => ({ ...tag, id, kind }))),
  filters: {
    key: ({ key }) => [key],
    'resource-id': ({ id }) => [id],
    'resource-type': ({ kind }) => [kind],
    value: ({ value }) => [value],
  },
  tagsOf: (entry) => [entry],
  by: [],
  page: { min: 5, max: 1000 },
  write: (entries) => entries.map(({ id, kind, key, value }) => ({ resourceId: id, resourceType: kind, key, value })),
})

export const tagActions: readonly Action[] = [createTags, deleteTags, describeTags]
