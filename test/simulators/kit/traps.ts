/** A launch that a cloud refuses at once. */
export interface Trap<Said> {
  readonly trap: string
  /** What the request says that it should not. */
  readonly said: Said
  readonly code: string
  /** What stands in the sentence of the refusal. */
  readonly message: string
  /** Undefined: 400. */
  readonly status: number | undefined
}

type Row<Said> = readonly [trap: string, said: Said, message: string, status?: number]

/** What is refused, by the code that it is refused with. */
export function trapsFrom<Said>(byCode: Readonly<Record<string, readonly Row<Said>[]>>): readonly Trap<Said>[] {
  return Object.entries(byCode).flatMap(([code, rows]) =>
    rows.map(([trap, said, message, status]) => ({ trap, said, code, message, status })),
  )
}
