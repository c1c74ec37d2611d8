import { CloudError } from '../../api/cloud-error.ts'

/** The rules of a cloud for user data. */
export interface UserDataRules {
  /** The API, as people know it. */
  readonly cloud: string
  /** The cloud's name for user data. */
  readonly what: string
  readonly most: number
  /** Bytes before the encoding, or characters of the text. */
  readonly counts: 'bytes' | 'characters'
  readonly encoding: 'base64' | 'text'
  /** Whether a byte order mark is passed on. */
  readonly keepsByteOrderMark?: boolean
}

interface Wording {
  /** A remark on its size, such as that it is compressed. */
  readonly even?: string
  readonly advice?: string
}

/** The bootstrap data as a cloud takes it. Throws 'invalid' for data that it would not take, and shows none of them. */
export function encodeFor(rules: UserDataRules, data: Uint8Array, wording: Wording = {}): string {
  const { counts, encoding } = rules
  if (counts === 'bytes') refuseTooLarge(rules, data.length, wording)
  if (encoding === 'base64') return Buffer.from(data).toString('base64')
  const text = decoded(rules, data)
  if (counts === 'characters') refuseTooLarge(rules, text.length, wording)
  return text
}

function refuseTooLarge({ cloud, what, most, counts }: UserDataRules, size: number, wording: Wording): void {
  if (size <= most) return
  const { even = '', advice = 'Make it smaller, or download large parts from elsewhere.' } = wording
  const message = `The bootstrap data has ${size} ${counts}${even}, but ${cloud} accepts at most ${most} as ${what}. ${advice}`
  throw new CloudError('invalid', { code: 'UserDataTooLarge', message })
}

function decoded({ cloud, what, keepsByteOrderMark = false }: UserDataRules, data: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsByteOrderMark }).decode(data)
  } catch {
    // The cause says no more, and may show some of the data.
    const message = `The bootstrap data is not UTF-8 text, and ${cloud} accepts nothing else as ${what}. Do not compress it.`
    throw new CloudError('invalid', { code: 'UserDataNotText', message })
  }
}
