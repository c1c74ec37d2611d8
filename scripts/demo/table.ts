import type { Row } from './look.ts'
import { wrapped } from './words.ts'

/** In the order of their worth: without room for all, the last are left out. */
const columns = [
  { title: 'MACHINE', of: ({ machine }: Row) => machine },
  { title: 'STATE', of: ({ state }: Row) => state },
  { title: 'INSTANCE', of: ({ instance }: Row) => short(instance) },
  { title: 'INTERRUPTIBLE', of: ({ interruptible }: Row) => interruptible },
  { title: 'NODE', of: ({ node }: Row) => short(node, longestNode) },
]
const gap = '  '
const indent = '    '
/** Three clouds have names of up to 63 characters, whose ends say most. */
const longestCell = 27
/** The last column has more room, enough for a name of EC2. */
const longestNode = 31
/** Room for a cloud's own words. */
const longestWord = 36

export interface Room {
  readonly width: number
  /** The number of rows that do not fit. */
  readonly height: number
}

/**
 * The table in this room. The reasons of Machines that do not run stand below it: whole, or as far as there is room.
 */
export function tableLines(rows: readonly Row[], { width, height }: Room): string[] {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ of }) => of(row)))]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)))
  const fitting = widths.filter((_, at) => sum(widths.slice(0, at + 1)) + at * gap.length <= width).length
  const lines = cells.map((line) =>
    line
      .slice(0, Math.max(2, fitting))
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(gap)
      .trimEnd(),
  )
  return inHeight(lines, rows.map(sentenceLines(width)), height).map((line) => cut(line, width))
}

function sentenceLines(width: number): (row: Row) => string[] {
  return ({ event }) => {
    const words = event.split(' ').map((word) => (word.length > longestWord ? short(word) : word))
    return event === '' ? [] : wrapped(words.join(' '), width - indent.length).map((line) => `${indent}${line}`)
  }
}

function inHeight([title = '', ...lines]: readonly string[], below: readonly string[][], height: number): string[] {
  const withBelow = (most: number) => [title, ...lines.flatMap((line, at) => [line, ...beginningOf(below[at], most)])]
  const variants = [Number.POSITIVE_INFINITY, 1, 0].map(withBelow)
  const whole = variants.find((variant) => variant.length <= height)
  if (whole) return whole
  const shown = Math.max(0, height - 2)
  return [title, ...lines.slice(0, shown), `and ${lines.length - shown} more`]
}

function beginningOf(lines: readonly string[] = [], most: number): string[] {
  if (lines.length <= most) return [...lines]
  return lines.slice(0, most).map((line) => `${line} …`)
}

function short(text: string, longest = longestCell): string {
  const half = (longest - 1) / 2
  return text.length <= longest ? text : `${text.slice(0, half)}…${text.slice(-half)}`
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
