import { expect, test } from 'vitest'
import type { Row } from './look.ts'
import { tableLines } from './table.ts'

const wide = { width: 200, height: 50 }
const row: Row = {
  machine: 'demo-spot-abcde-12345',
  state: 'Running',
  instance: 'i-0174fd06e0b86383d',
  node: 'ip-10-0-1-2.ec2.internal',
  interruptible: 'yes',
  event: '11:41:35 Running: Instance i-0174fd06e0b86383d is running.',
}
const young: Row = { machine: 'demo-spot-abcde-6789', state: '', instance: '', node: '', interruptible: '', event: '' }

test('columns stand below each other, and what is not known yet is empty', () => {
  expect(tableLines([row, { ...row, ...young, interruptible: 'no' }], wide)).toEqual([
    'MACHINE                STATE    INSTANCE             NODE                      INTERRUPTIBLE',
    'demo-spot-abcde-12345  Running  i-0174fd06e0b86383d  ip-10-0-1-2.ec2.internal  yes',
    '    last event: 11:41:35 Running: Instance i-0174fd06e0b86383d is running.',
    'demo-spot-abcde-6789                                                           no',
    '    last event: none yet',
  ])
})

test('a line that is too long for the terminal is cut and says so', () => {
  const lines = tableLines([row], { ...wide, width: 40 })
  for (const line of lines) expect(line).toHaveLength(40)
  for (const line of lines) expect(line.endsWith('…')).toBe(true)
})

test.each([
  { height: 7, machines: 3, more: undefined },
  { height: 6, machines: 2, more: 'and 1 more' },
  { height: 2, machines: 0, more: 'and 3 more' },
])('in $height lines there is room for $machines of three machines', ({ height, machines, more }) => {
  const lines = tableLines([row, row, young], { ...wide, height })
  expect(lines.length).toBeLessThanOrEqual(height)
  expect(lines.filter((line) => line.startsWith('demo-spot'))).toHaveLength(machines)
  expect(lines.find((line) => line.startsWith('and '))).toBe(more)
})
