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
 * The bootstrap data as EC2 takes it. The same data gives the same bytes: gzip is told no time. A retry may differ all
 * the same, after an update of ours with another zlib. Then EC2 answers with IdempotentParameterMismatch, and the
 * instance is adopted.
 */
export function encodeUserData(data: Uint8Array, compress: boolean): string {
  if (isIgnition(data)) return encodeFor(rules, data)
  if (compress) return encodeFor(rules, gzipSync(data), { even: ' even when compressed' })
  return encodeFor(rules, data, {
    advice: 'Set spec.uncompressedUserData of the AWSMachine to false to compress it.',
  })
}

/** Ignition's data is JSON, and Ignition unpacks nothing. No format of cloud-init begins with a brace. */
function isIgnition(data: Uint8Array): boolean {
  return Buffer.from(data.subarray(0, 64)).toString('latin1').trimStart().startsWith('{')
}
