interface Range {
  readonly firstMs: number
  readonly mostMs: number
}

/** The pause after this number of failures in a row: it doubles. */
export function growingPauseMs(failures: number, { firstMs, mostMs }: Range): number {
  return Math.min(mostMs, firstMs * 2 ** (failures - 1))
}
