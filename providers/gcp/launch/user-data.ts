import { CloudError } from '../../../api/cloud-error.ts'

/** GCE counts the characters of each metadata value. */
const mostCharacters = 262_144

/** The bootstrap data as GCE takes it: text, as it is, under this key of the metadata. */
export const userDataKey = 'user-data'

export function userDataText(data: Uint8Array): string {
  const text = decoded(data)
  if (text.length <= mostCharacters) return text
  throw new CloudError('invalid', {
    code: 'UserDataTooLarge',
    message:
      `The bootstrap data has ${text.length} characters, but GCE accepts at most ${mostCharacters} as metadata. Make it smaller, ` +
      'or download large parts from elsewhere.',
  })
}

function decoded(data: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data)
  } catch {
    // The cause would not say more, and might show some of it.
    throw new CloudError('invalid', {
      code: 'UserDataNotText',
      message: 'The bootstrap data is not UTF-8 text, and GCE accepts nothing else as metadata. Do not compress it.',
    })
  }
}
