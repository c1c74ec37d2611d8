import { encodeFor, type UserDataRules } from '../../shared/user-data.ts'

const rules: UserDataRules = {
  cloud: 'Azure',
  what: 'custom data',
  most: 65_535,
  counts: 'bytes',
  encoding: 'base64',
}

/** The bootstrap data as Azure's custom data. */
export function encodeUserData(data: Uint8Array): string {
  return encodeFor(rules, data)
}
