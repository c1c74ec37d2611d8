import { encodeFor, type UserDataRules } from '../../shared/user-data.ts'

const rules: UserDataRules = {
  cloud: 'IBM Cloud',
  what: 'user data',
  most: 65_536,
  counts: 'bytes',
  encoding: 'text',
  keepsByteOrderMark: true,
}

/** The bootstrap data as IBM takes it. */
export function encodeUserData(data: Uint8Array): string {
  return encodeFor(rules, data)
}
