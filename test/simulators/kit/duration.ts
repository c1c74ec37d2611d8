const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const

/** `500ms`, `2s`, `1.5m`, `24h`, or a bare `0`. Undefined: it is none. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text)
  const [, amount, unit] = parts ?? []
  if (amount === undefined || unit === undefined) return undefined
  return Number(amount) * units[unit as keyof typeof units]
}
