import type { Row } from './look.ts'

const columns = [
  { title: 'MACHINE', of: ({ machine }: Row) => machine },
  { title: 'STATE', of: ({ state }: Row) => state },
  { title: 'INSTANCE', of: ({ instance }: Row) => instance },
  { title: 'NODE', of: ({ node }: Row) => node },
  { title: 'INTERRUPTIBLE', of: ({ interruptible }: Row) => interruptible },
]
const gap = '  '

/** The lines of the table, none longer than `width`. The last event has a line of its own: it is a whole sentence. */
export function tableLines(rows: readonly Row[], width: number): string[] {
  const widths = columns.map(({ title, of }) => Math.max(title.length, ...rows.map((row) => of(row).length)))
  const line = (cells: readonly string[]) => cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(gap)
  const title = line(columns.map(({ title }) => title))
  const body = rows.flatMap((row) => {
    const event = row.event && `    last event: ${row.event}`
    return [line(columns.map(({ of }) => of(row))), ...(event ? [event] : [])]
  })
  return [title, ...body].map((text) => cut(text.trimEnd(), width))
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
}
