/** So many characters of a secret are enough to recognize it. */
const window = 16

/**
 * A message without the parts of a secret in it. Azure may repeat a text that it could not read, in full or cut off.
 */
export function redact(message: string, secret: string): string {
  const size = Math.min(window, secret.length)
  if (size === 0) return message
  let told = ''
  let hiddenTo = 0
  for (let at = 0; at < message.length; at++) {
    const part = message.slice(at, at + size)
    if (part.length === size && secret.includes(part)) {
      if (hiddenTo < at || hiddenTo === 0) told += '…'
      hiddenTo = at + size
    }
    if (at >= hiddenTo) told += message[at]
  }
  return told
}
