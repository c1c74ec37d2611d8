import { createHash } from 'node:crypto'

/** Of a secret, such as a bootstrap token, only what proves that two calls carried the same. */
export function hashed(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex')} of ${secret.length} characters`
}
