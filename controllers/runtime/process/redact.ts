/** Ends of field names, in lower case without - and _, whose values are never shown. */
const secretNames = [
  'token',
  'password',
  'passwd',
  'passphrase',
  'secret',
  'secretaccesskey',
  'accesskey',
  'apikey',
  'privatekey',
  'clientkey',
  'clientkeydata',
  'authorization',
  'credential',
  'credentials',
  'cookie',
  'userdata',
  'bootstrapdata',
  'stringdata',
  'kubeconfig',
]

/** Patterns of secrets within a text. */
const secretTexts: [RegExp, string][] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]'],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, '[redacted]'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[redacted]'],
  [/(\/\/)[^/\s@:]+:[^/\s@]+@/g, '$1[redacted]@'],
]

const maxDepth = 6
const maxItems = 100
const maxChars = 4096

/**
 * The fields in the form in which they may be logged. Secrets are removed by their name or their look. Bytes are
 * removed. Of an error only name, message, stack and cause stay, because its other fields may hold a whole answer. The
 * size is limited. Never throws.
 */
export function redactFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  try {
    return redactEntries(Object.entries(fields), 0)
  } catch {
    return { unreadable: true }
  }
}

function redactEntries(entries: readonly [string, unknown][], depth: number): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of entries.slice(0, maxItems)) {
    // A field with the name of an Object method would shadow the method.
    shown[name in Object.prototype ? `_${name}` : name] = isSecret(name, value)
      ? '[redacted]'
      : redact(value, depth + 1)
  }
  return shown
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return '[deeper]'
  return redactObject(value, depth)
}

function redactObject(value: object, depth: number): unknown {
  if (value instanceof Error) return redactError(value, depth)
  if (value instanceof Date) return Number.isNaN(value.valueOf()) ? null : value.toISOString()
  if (value instanceof URL) return redactText(value.href)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
  if (value instanceof Map)
    return redactEntries(
      Array.from(value, ([name, part]) => [String(name), part]),
      depth,
    )
  if (Array.isArray(value) || value instanceof Set) {
    return Array.from(value as Iterable<unknown>)
      .slice(0, maxItems)
      .map((part) => redact(part, depth + 1))
  }
  return redactEntries(Object.entries(value), depth)
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error
  return {
    name,
    message: redactText(message),
    ...(stack === undefined ? {} : { stack: redactText(stack) }),
    ...(cause === undefined ? {} : { cause: redact(cause, depth + 1) }),
    ...(error instanceof AggregateError ? { errors: redact(error.errors, depth + 1) } : {}),
  }
}

function redactText(text: string): string {
  const short = text.length <= maxChars ? text : `${text.slice(0, maxChars)}… [${text.length} characters]`
  return secretTexts.reduce((safe, [pattern, instead]) => safe.replace(pattern, instead), short)
}

/** Log fields such as `Secret` hold the key of an object, not its content. */
function isSecret(name: string, value: unknown): boolean {
  if (value === undefined || value === null || (name === 'Secret' && typeof value === 'string')) return false
  const plain = name.toLowerCase().replace(/[-_.]/g, '')
  return secretNames.some((end) => plain.endsWith(end))
}
