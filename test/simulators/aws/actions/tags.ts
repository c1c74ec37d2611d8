import type { Account } from '../account.ts'
import { action, type Action } from '../http/action.ts'
import { Ec2Error } from '../http/errors.ts'
import { list, required, text } from '../../kit/http/schema.ts'
import type { Instance, TaggedKind } from '../instances/instance.ts'
import { describe } from '../http/listing.ts'
import { checkMetadataKeys, checkTagCount, checkTags, tagsField } from '../instances/tags.ts'
import type { Tag } from '../world.ts'

interface Tagged {
  readonly id: string
  readonly kind: TaggedKind
  readonly holder: { readonly id: string; tags: readonly Tag[] }
}

/** What a launch has made and what can be tagged afterwards. */
function taggedOf(instance: Readonly<Instance>): readonly Tagged[] {
  const part = (holder: Tagged['holder'], kind: TaggedKind): Tagged => ({ id: holder.id, kind, holder })
  return [
    part(instance, 'instance'),
    ...instance.volumes.map((volume) => part(volume, 'volume')),
    ...instance.interfaces.map((one) => part(one, 'network-interface')),
    ...(instance.spot ? [part(instance.spot, 'spot-instances-request')] : []),
  ]
}

interface Found extends Tagged {
  readonly instance: Instance
}

function find(id: string, { instances, sight }: Account): Found {
  const owner = instances.ownerOf(id)
  const instance = sight.find(owner?.id ?? id)
  const found = instance && taggedOf(instance).find((one) => one.id === id)
  if (found) return { ...found, instance }
  if (id.startsWith('i-')) throw new Ec2Error('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`)
  throw new Ec2Error('InvalidID', `The ID '${id}' is not valid`)
}

interface Retagged extends Found {
  readonly tags: readonly Tag[]
}

/** What the tags of each resource would become; throws where EC2 would refuse. */
function retagged(wanted: readonly string[], tags: readonly Tag[], account: Account): readonly Retagged[] {
  return wanted.map((id) => {
    const found = find(id, account)
    // Its keys would stand in a path of the instance's metadata.
    if (found.kind === 'instance' && found.instance.plan.metadata.tags === 'enabled') checkMetadataKeys(tags)
    const kept = found.holder.tags.filter(({ key }) => !tags.some((tag) => tag.key === key))
    checkTagCount(kept.length + tags.length)
    return { ...found, tags: [...kept, ...tags] }
  })
}

function retag({ holder, tags, instance }: Retagged, { instances }: Account): void {
  holder.tags = tags
  instances.note(instance)
}

const createTags = action({
  name: 'CreateTags',
  fields: { ResourceId: required(list(text)), Tag: required(tagsField) },
  check: ({ ResourceId, Tag }, account) => void retagged(ResourceId, checkTags(Tag, 'Tag'), account),
  perform({ ResourceId, Tag }, account) {
    for (const one of retagged(ResourceId, checkTags(Tag, 'Tag'), account)) retag(one, account)
    return { return: true }
  },
})

const deleteTags = action({
  name: 'DeleteTags',
  fields: { ResourceId: required(list(text)), Tag: tagsField },
  check: ({ ResourceId }, account) => ResourceId.forEach((id) => void find(id, account)),
  perform({ ResourceId, Tag: doomed }, account) {
    for (const found of ResourceId.map((id) => find(id, account))) {
      // Without tags: all of them. A tag without a value: whatever its value is.
      const tags = found.holder.tags.filter(
        ({ key, value }) => doomed && !doomed.some((tag) => tag.Key === key && (tag.Value ?? value) === value),
      )
      retag({ ...found, tags }, account)
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
  items: ({ sight }) =>
    sight
      .look()
      .flatMap(taggedOf)
      .flatMap(({ id, kind, holder }) => holder.tags.map((tag) => ({ ...tag, id, kind }))),
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
