import { gzipSync } from 'node:zlib'
import { CloudError } from '../../../api/cloud-error.ts'

/** EC2 counts the bytes before base64. */
const mostBytes = 16_384

/**
 * The bootstrap data as EC2 takes it. The same data gives the same bytes: gzip is told no time, and a retry that
 * differs all the same (another zlib, after an update of ours) is answered with IdempotentParameterMismatch, from which
 * the instance is adopted.
 */
export function encodeUserData(data: Uint8Array, compress: boolean): string {
  const compressible = !isIgnition(data)
  const bytes = compress && compressible ? gzipSync(data) : data
  if (bytes.length > mostBytes) throw tooLarge(bytes.length, compressible ? compress : undefined)
  return Buffer.from(bytes).toString('base64')
}

/** Ignition's data is JSON, and it unpacks nothing; no format of cloud-init begins so. */
function isIgnition(data: Uint8Array): boolean {
  return Buffer.from(data.subarray(0, 64)).toString('latin1').trimStart().startsWith('{')
}

function tooLarge(bytes: number, compressed: boolean | undefined): CloudError {
  const advice =
    compressed === false
      ? 'Set spec.uncompressedUserData of the AWSMachine to false to compress it.'
      : 'Make it smaller, or download large parts from elsewhere.'
  const message =
    `The bootstrap data has ${bytes} bytes${compressed ? ' even when compressed' : ''}, but EC2 accepts at most ${mostBytes} ` +
    `as user data. ${advice}`
  return new CloudError('invalid', { code: 'UserDataTooLarge', message })
}
