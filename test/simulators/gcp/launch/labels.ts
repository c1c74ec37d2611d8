import { GceError, invalidValue } from '../http/errors.ts'
import type { MetadataItem } from '../instances/instance.ts'
import type { InstanceValues } from '../http/schemas/instance.ts'

const mostLabels = 64
const keys = /^[\p{Ll}\p{Lo}][\p{Ll}\p{Lo}\p{N}_-]{0,62}$/u
const values = /^[\p{Ll}\p{Lo}\p{N}_-]{0,63}$/u
const rest = 'can only contain lowercase letters, numeric characters, underscores and dashes. The'

export function checkLabels(labels: Readonly<Record<string, string>> = {}, path = 'resource.labels') {
  const all = Object.entries(labels)
  if (all.length > mostLabels) throw invalidValue(path, '', `At most ${mostLabels} labels are allowed.`)
  for (const [key, value] of all) {
    if (!keys.test(key)) {
      const why = `The key ${rest} key can be at most 63 characters long and must start with a lowercase letter.`
      throw invalidValue(path, '', `Label key '${key}' violates format constraints. ${why}`)
    }
    if (!values.test(value)) {
      const why = `The value ${rest} value can be at most 63 characters long. International characters are allowed.`
      throw invalidValue(path, '', `Label value '${value}' violates format constraints. ${why}`)
    }
  }
  return labels
}

const mostOfOne = 262_144
const mostOfAll = 524_288
const metadataKeys = /^[a-zA-Z0-9-_]{1,128}$/

export function checkMetadata({ items = [] }: NonNullable<InstanceValues['metadata']> = {}): readonly MetadataItem[] {
  const checked = items.map(({ key = '', value = '' }, at) => {
    const path = `resource.metadata.items[${at}]`
    if (!metadataKeys.test(key)) {
      throw invalidValue(`${path}.key`, key, `Must be a match of regex '[a-zA-Z0-9-_]{1,128}'`)
    }
    checkSize(`${path}.value`, value.length, mostOfOne)
    return { key, value }
  })
  const twice = checked.find(({ key }, at) => checked.findIndex((one) => one.key === key) < at)
  if (twice) throw invalidValue('resource.metadata.items', twice.key, 'Metadata has duplicate keys.')
  const all = checked.reduce((sum, { key, value }) => sum + key.length + value.length, 0)
  checkSize('resource.metadata', all, mostOfAll)
  return checked
}

function checkSize(path: string, size: number, most: number): void {
  if (size <= most) return
  throw new GceError(
    'fieldSizeTooLarge',
    `Value for field '${path}' is too large: maximum size ${most} character(s); actual size ${size}.`,
  )
}

export function checkTags({ items = [] }: NonNullable<InstanceValues['tags']> = {}): readonly string[] {
  for (const [at, tag] of items.entries()) {
    if (/^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(tag)) continue
    throw invalidValue(
      `resource.tags.items[${at}]`,
      tag,
      "Must be a match of regex '(?:[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?)'",
    )
  }
  const twice = items.find((tag, at) => items.indexOf(tag) < at)
  if (twice !== undefined) throw invalidValue('resource.tags', twice, 'Duplicate tags are not allowed.')
  if (items.length > 64) throw invalidValue('resource.tags', '', 'At most 64 tags are allowed.')
  return items
}
