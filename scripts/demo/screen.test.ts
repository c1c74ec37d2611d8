import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Screen, type Output } from './screen.ts'

/** The parts of a terminal that Screen uses: wrapping, the way up, clearing to the end. */
class Terminal implements Output {
  readonly isTTY = true
  readonly rows = 1000
  columns: number
  writes = 0
  #lines: string[] = ['']
  #row = 0

  constructor(columns: number) {
    this.columns = columns
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  write(text: string): void {
    this.writes++
    const [plain = '', ...controls] = text.split('\u001B[')
    this.#print(plain)
    for (const control of controls) {
      const [, count, command, rest = ''] = /^(\d*)([AHJ])([^]*)$/.exec(control) ?? []
      if (command === 'A') this.#row = Math.max(0, this.#row - Number(count))
      else if (command === 'H') this.#row = 0
      else this.#lines.splice(this.#row, Infinity, '')
      this.#print(rest)
    }
  }

  #print(text: string): void {
    for (const char of text.replaceAll('\r', '')) {
      const line = this.#lines[this.#row] ?? ''
      if (char === '\n') this.#lines[++this.#row] ??= ''
      else if (line.length < this.columns) this.#lines[this.#row] = line + char
      else this.#lines[++this.#row] = char
    }
  }
}

const lines = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 12 }), { maxLength: 4 })
const pictures = fc.array(fc.array(lines, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 })

test('on a terminal there is only ever the last picture, whatever was wrapped before', () => {
  fc.assert(
    fc.property(pictures, fc.integer({ min: 1, max: 8 }), (shown, columns) => {
      const [inPlace, fresh] = [new Terminal(columns), new Terminal(columns)]
      const screen = new Screen(inPlace)
      for (const picture of shown) screen.show(picture)
      new Screen(fresh).show(shown.at(-1) ?? [])
      expect(inPlace.lines).toEqual(fresh.lines)
    }),
  )
})

test('a terminal that got another width is drawn from its top', () => {
  const terminal = new Terminal(10)
  const screen = new Screen(terminal)
  screen.show([['one', 'two']])
  terminal.columns = 20
  screen.show([['one', 'two']])
  expect(terminal.lines).toEqual(['one', 'two', ''])
  expect(terminal.writes).toBe(2)
})

test('what is as it was is not drawn again', () => {
  const terminal = new Terminal(80)
  const screen = new Screen(terminal)
  screen.show([['one'], ['two']])
  screen.show([['one'], ['two']])
  expect(terminal.writes).toBe(1)
})

test('elsewhere each part is written when it changes, and only then', () => {
  const written: string[] = []
  const screen = new Screen({ write: (text) => written.push(text) })
  screen.show([['table'], ['commands', 'more']])
  screen.show([['table'], ['commands', 'more']])
  screen.show([['another table'], ['commands', 'more']])
  expect(written).toEqual(['table\n\ncommands\nmore\n\n', 'another table\n\n'])
})
