/** Whether an answer has the shape that we read. Answers are checked where they come in, and trusted after that. */
export type Check = (value: unknown) => boolean

export const text: Check = (value) => typeof value === 'string'
export const name: Check = (value) => typeof value === 'string' && value !== ''
export const flag: Check = (value) => typeof value === 'boolean'
export const number: Check = (value) => typeof value === 'number' && Number.isFinite(value)

export function like(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value)
}

/** The field may be left out. */
export function maybe(check: Check): Check {
  return (value) => value === undefined || check(value)
}

/** The field may be left out, or be null. */
export function orNull(check: Check): Check {
  return (value) => value === undefined || value === null || check(value)
}

export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check)
}

export function mapOf(check: Check): Check {
  return (value) => isObject(value) && Object.values(value).every(check)
}

/** An object with these fields. It may have others, because clouds add fields. */
export function shaped(fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields)
  return (value) => isObject(value) && checks.every(([field, check]) => check(value[field]))
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
