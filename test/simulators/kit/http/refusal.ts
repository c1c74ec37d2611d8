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
