import { Ec2Error, invalidValue, missing } from '../http/errors.ts'
import { list, structure, text } from '../../kit/http/schema.ts'
import type { Tag } from '../world.ts'
import type { Xml } from '../http/xml.ts'

export const tagsField = list(structure({ Key: text, Value: text }))

interface GivenTag {
  readonly Key?: string
  readonly Value?: string
}

const mostTags = 50
const longestKey = 128
const longestValue = 256

/** The tags of a request, by EC2's rules. `path`: where they stand in it. */
export function checkTags(given: readonly GivenTag[], path: string): readonly Tag[] {
  const seen = new Set<string>()
  const tags = given.map(({ Key: key, Value: value = '' }, at) => {
    if (key === undefined) throw missing(`${path}.${at + 1}.Key`)
    checkTag(key, value)
    if (seen.has(key)) throw invalidValue(`Duplicate tag key '${key}' specified.`)
    seen.add(key)
    return { key, value }
  })
  checkTagCount(tags.length)
  return tags
}

export function checkTagCount(count: number): void {
  if (count <= mostTags) return
  throw new Ec2Error(
    'TagLimitExceeded',
    `More than ${mostTags} tags specified: a resource can have at most ${mostTags} tags.`,
  )
}

function checkTag(key: string, value: string): void {
  if (key === '') throw invalidValue('Tag key cannot be null or empty.')
  if (key.toLowerCase().startsWith('aws:')) {
    throw invalidValue("Tag keys starting with 'aws:' are reserved for internal use")
  }
  if (Array.from(key).length > longestKey) {
    throw invalidValue(`Tag key exceeds the maximum length of ${longestKey} characters`)
  }
  if (Array.from(value).length > longestValue) {
    throw invalidValue(`Tag value exceeds the maximum length of ${longestValue} characters`)
  }
}

/**
 * With tags in instance metadata the keys become parts of a path, so the slash of every Kubernetes key is refused: at
 * launch, and later by CreateTags.
 */
export function checkMetadataKeys(tags: readonly Tag[]): void {
  for (const { key } of tags) {
    if (/^[0-9a-zA-Z\-_+=,.@:]{1,255}$/.test(key) && !['.', '..', '_index'].includes(key)) continue
    throw invalidValue(
      `'${key}' is not a valid tag key. Tag keys must match pattern ([0-9a-zA-Z\\-_+=,.@:]{1,255}), ` +
        "and must not be a reserved name ('.', '..', '_index')",
    )
  }
}

export function writeTags(tags: readonly Tag[]): Xml {
  return tags.length === 0 ? undefined : tags.map(({ key, value }) => ({ key, value }))
}
