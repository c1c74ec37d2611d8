import type { Row } from './look.ts'

const columns = [
  { title: 'MACHINE', of: ({ machine }: Row) => machine },
  { title: 'STATE', of: ({ state }: Row) => state },
  { title: 'INSTANCE', of: ({ instance }: Row) => instance },
  { title: 'NODE', of: ({ node }: Row) => node },
  { title: 'INTERRUPTIBLE', of: ({ interruptible }: Row) => interruptible },
]
const gap = '  '

export interface Room {
  /** What is longer is cut. */
  readonly width: number
  /** What does not fit is counted. */
  readonly height: number
}

/** The table in so much room. The last event has a line of its own below its machine: it is a whole sentence. */
export function tableLines(rows: readonly Row[], { width, height }: Room): string[] {
  const shown = rows.slice(0, mostMachines(rows.length, height))
  const widths = columns.map(({ title, of }) => Math.max(title.length, ...shown.map((row) => of(row).length)))
  const line = (cells: readonly string[]) => cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(gap)
  const title = line(columns.map(({ title }) => title))
  const body = shown.flatMap((row) => [
    line(columns.map(({ of }) => of(row))),
    `    last event: ${row.event || 'none yet'}`,
  ])
  const more = rows.length > shown.length ? [`and ${rows.length - shown.length} more`] : []
  return [title, ...body, ...more].map((text) => cut(text.trimEnd(), width))
}

/** Two lines for each, one for the title and, where not all fit, one for the rest. */
function mostMachines(count: number, height: number): number {
  return 1 + 2 * count <= height ? count : Math.max(0, Math.floor((height - 2) / 2))
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
}
