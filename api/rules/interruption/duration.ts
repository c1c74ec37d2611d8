const unitMs = { s: 1_000, m: 60_000, h: 3_600_000 } as const
const mostMs = unitMs.h

/** `90s`, `2m`, `1h`: at most an hour. Undefined for all else. */
export function durationMs(text: string): number | undefined {
  const [, digits, unit] = /^([1-9]\d{0,3})(s|m|h)$/.exec(text) ?? []
  if (digits === undefined || unit === undefined) return undefined
  const ms = Number(digits) * unitMs[unit as keyof typeof unitMs]
  return ms <= mostMs ? ms : undefined
}
