import { ArmError } from '../http/errors.ts'

export type Tags = Readonly<Record<string, string>>

const reserved = /[<>%&\\?/]/

/** What Azure does not take as tags. */
export function checkTags(tags: Tags = {}): Tags {
  const names = Object.keys(tags)
  if (names.length > 50) {
    throw new ArmError(
      'InvalidTagsCount',
      `The number of tags '${names.length}' on the resource is above the maximum of '50'.`,
    )
  }
  const wrong = names.filter((name) => reserved.test(name))
  if (wrong.length > 0) {
    throw new ArmError(
      'InvalidTagNameCharacters',
      `The tag names '${wrong.join(',')}' have reserved characters '<,>,%,&,\\,?,/' or control characters.`,
    )
  }
  for (const [name, value] of Object.entries(tags)) checkLengths(name, value)
  const twice = names.find((name, at) => names.findIndex((one) => one.toLowerCase() === name.toLowerCase()) < at)
  if (twice === undefined) return tags
  throw new ArmError('AmbiguousTagKeys', `The tag keys '${twice}' differ only in the case of their letters.`)
}

function checkLengths(name: string, value: string): void {
  if (name === '' || name.length > 512) {
    throw new ArmError('InvalidTagName', `The tag name '${name}' must be of 1 to 512 characters.`)
  }
  if (value.length > 256) {
    throw new ArmError(
      'InvalidTagValue',
      `The value of the tag '${name}' is longer than the maximum of 256 characters.`,
    )
  }
}
