import { encodeFor, type UserDataRules } from '../../shared/user-data.ts'

/** GCE limits each value of the metadata. */
const rules: UserDataRules = {
  cloud: 'GCE',
  what: 'metadata',
  most: 262_144,
  counts: 'characters',
  encoding: 'text',
}

/** The key of the metadata under which cloud-init looks for the bootstrap data. */
export const userDataKey = 'user-data'

/** The bootstrap data as GCE takes it. */
export function encodeUserData(data: Uint8Array): string {
  return encodeFor(rules, data)
}
