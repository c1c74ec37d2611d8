/** The output of a Screen: stdout, or a replacement in a test. */
export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  write(text: string): unknown
}

/** Shows changing text: in place on a terminal, elsewhere each part again when it changes. */
export class Screen {
  readonly #out: Output
  #shown: readonly string[] = []
  /** The lines of the last picture, and its width. */
  #height = 0
  #width = 0

  constructor(out: Output) {
    this.#out = out
  }

  get width(): number {
    return this.#out.isTTY ? (this.#out.columns ?? 80) : Number.POSITIVE_INFINITY
  }

  /** The last line of a terminal belongs to the cursor. */
  get height(): number {
    return this.#out.isTTY ? (this.#out.rows ?? 24) - 1 : Number.POSITIVE_INFINITY
  }

  /** Each part has some lines, with an empty line between parts. Writes nothing without a change. */
  show(parts: readonly (readonly string[])[]): void {
    const texts = parts.map((lines) => lines.map((line) => `${line}\n`).join(''))
    const isNew = (text: string, at: number) => text !== this.#shown[at]
    const same = texts.length === this.#shown.length && !texts.some(isNew)
    if (same && this.width === this.#width) return
    if (this.#out.isTTY) this.#redraw(texts.join('\n'))
    else this.#out.write(`${texts.filter(isNew).join('\n')}\n`)
    this.#shown = texts
    this.#width = this.width
  }

  #redraw(text: string): void {
    this.#out.write(`${this.#wayBack()}\u001B[J${text}`)
    const lines = text.split('\n').slice(0, -1)
    this.#height = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / this.width)), 0)
  }

  /** Moves to the start of the last picture. A new width has moved every wrapped line: then to the top. */
  #wayBack(): string {
    if (this.#height === 0) return ''
    return this.width === this.#width ? `\u001B[${this.#height}A\r` : '\u001B[H'
  }
}
