import { generateKeyPairSync } from 'node:crypto'
import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'
import { invalid } from '../../shared/invalid.ts'

/** Undefined: no login is wanted. */
export function sshKeyOf({ sshPublicKey }: AzureMachineSpec): string | undefined {
  if (!sshPublicKey) return undefined
  const key = Buffer.from(sshPublicKey, 'base64').toString().trim()
  if (/^(ssh-rsa|ssh-ed25519) [A-Za-z0-9+/]+={0,2}( [^\r\n]*)?$/.test(key)) return key
  throw invalid(
    'spec.sshPublicKey of the AzureMachine is not a public key of type ssh-rsa or ssh-ed25519 in base64; encode one line of ' +
      'authorized_keys, or leave it out.',
  )
}

/**
 * Azure makes no Linux machine without a way to log in. Where no login is wanted, the machine gets the public half of a
 * key whose private half is thrown away here.
 */
export function nobodysKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const parts = [Buffer.from('ssh-ed25519'), Buffer.from(x, 'base64url')]
  const blob = Buffer.concat(parts.flatMap((part) => [lengthOf(part), part]))
  return `ssh-ed25519 ${blob.toString('base64')}`
}

function lengthOf(part: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(part.length)
  return length
}
