/** A refusal of a cloud: its code, its sentence, and its HTTP status. To throw one is to answer with it. */
export class Refusal extends Error {
  readonly code: string
  readonly status: number

  constructor(code: string, message: string, status: number) {
    super(message)
    this.name = new.target.name
    this.code = code
    this.status = status
  }
}

/** The status that goes with a code, by a table of codes with spaces between them. What stands in no row has 400. */
export function statusesOf(codes: Readonly<Record<number, string>>): (code: string) => number {
  const statuses = new Map(
    Object.entries(codes).flatMap(([status, row]) => row.split(' ').map((code) => [code, Number(status)] as const)),
  )
  return (code) => statuses.get(code) ?? 400
}
