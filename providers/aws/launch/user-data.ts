import { gzipSync } from 'node:zlib'
import { encodeFor, type UserDataRules } from '../../shared/user-data.ts'

const rules: UserDataRules = {
  cloud: 'EC2',
  what: 'user data',
  most: 16_384,
  counts: 'bytes',
  encoding: 'base64',
}

/**
 * The bootstrap data as EC2 takes it. The same data gives the same bytes: gzip is told no time, and a retry that
 * differs all the same (another zlib, after an update of ours) is answered with IdempotentParameterMismatch, from which
 * the instance is adopted.
 */
export function encodeUserData(data: Uint8Array, compress: boolean): string {
  if (isIgnition(data)) return encodeFor(rules, data)
  if (compress) return encodeFor(rules, gzipSync(data), { even: ' even when compressed' })
  return encodeFor(rules, data, {
    advice: 'Set spec.uncompressedUserData of the AWSMachine to false to compress it.',
  })
}

/** Ignition's data is JSON, and it unpacks nothing; no format of cloud-init begins so. */
function isIgnition(data: Uint8Array): boolean {
  return Buffer.from(data.subarray(0, 64)).toString('latin1').trimStart().startsWith('{')
}
