import { generateKeyPairSync } from 'node:crypto'

/**
 * Azure makes no Linux machine without a way to log in. Where nobody asked for one it gets the public half of a key
 * whose private half is forgotten here and now.
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
