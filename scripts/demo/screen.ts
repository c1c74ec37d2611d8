/** Where something stands that changes. */
interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const usualWidth = 160

/** Shows text that changes: on a terminal in place, elsewhere each part anew when it is another than before. */
export class Screen {
  readonly #out: Output
  #shown: string[] = []
  /** How many lines of the terminal the last picture took, at which width. */
  #height = 0
  #width = 0

  constructor(out: Output) {
    this.#out = out
  }

  get width(): number {
    return this.#out.isTTY ? (this.#out.columns ?? 80) : usualWidth
  }

  /** Each part is some lines. Writes nothing when all is as it was. */
  show(parts: readonly (readonly string[])[]): void {
    const texts = parts.map((lines) => lines.map((line) => `${line}\n`).join(''))
    const { width } = this
    const same = (text: string, at: number) => text === this.#shown[at]
    if (texts.every(same) && width === this.#width) return
    if (this.#out.isTTY) this.#redraw(texts.join('\n'), width)
    else this.#out.write(texts.filter((text, at) => !same(text, at)).join('\n') + '\n')
    this.#shown = texts
    this.#width = width
  }

  #redraw(text: string, width: number): void {
    // Another width has moved every line that was wrapped: what stood there cannot be found any more.
    const back = width === this.#width ? `\u001B[${this.#height}A` : this.#height > 0 ? '\u001B[2J\u001B[H' : ''
    this.#out.write(`${this.#height > 0 ? back : ''}\r\u001B[J${text}`)
    const lines = text.split('\n').slice(0, -1)
    this.#height = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0)
  }
}
