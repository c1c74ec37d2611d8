import { expect, test } from 'vitest'
import type { Row } from './look.ts'
import { tableLines } from './table.ts'

const wide = { width: 200, height: 50 }
const row: Row = {
  machine: 'aws-spot-abcde-12345',
  state: 'Running',
  instance: 'i-0174fd06e0b86383d',
  node: 'ip-10-0-1-2.ec2.internal',
  interruptible: 'yes',
  event: '',
}
const name = 'azure-spot-9dkcp-6sqlq-szyp3g8ldj-cvbjyeo3cs9j-gyeo6u1lwwb5'
const lost: Row = {
  machine: 'azure-spot-9dkcp-6sqlq',
  state: 'Interrupted',
  instance: name,
  node: name,
  interruptible: 'yes',
  event: `11:41:35 Instance spot-workers/${name} is stopping: PowerState/deallocating: VM deallocating`,
}
const sentence = '11:41:35 Instance spot-workers/…-gyeo6u1lwwb5 is stopping: PowerState/deallocating: VM deallocating'
const young: Row = { machine: 'ibm-spot-abcde-6789', state: '', instance: '', node: '', interruptible: '', event: '' }

test('columns stand below each other, long names show their ends, what happened stands below its machine', () => {
  expect(tableLines([row, lost, { ...young, interruptible: 'no' }], wide)).toEqual([
    'MACHINE                 STATE        INSTANCE                     INTERRUPTIBLE  NODE',
    'aws-spot-abcde-12345    Running      i-0174fd06e0b86383d          yes            ip-10-0-1-2.ec2.internal',
    'azure-spot-9dkcp-6sqlq  Interrupted  azure-spot-9d…-gyeo6u1lwwb5  yes            azure-spot-9dkc…9j-gyeo6u1lwwb5',
    `    ${sentence}`,
    'ibm-spot-abcde-6789                                               no',
  ])
})

test.each([120, 80])('in %i columns no line is longer, and sentences are whole', (width) => {
  const lines = tableLines([row, lost, young], { ...wide, width })
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
  const below = lines.filter((line) => line.startsWith('    ')).map((line) => line.trim())
  expect(below.join(' ')).toBe(sentence)
})

test.each([
  { width: 120, titles: ['MACHINE', 'STATE', 'INSTANCE', 'INTERRUPTIBLE', 'NODE'] },
  { width: 80, titles: ['MACHINE', 'STATE', 'INSTANCE', 'INTERRUPTIBLE'] },
  { width: 66, titles: ['MACHINE', 'STATE', 'INSTANCE'] },
  { width: 20, titles: ['MACHINE', '…'] },
])('in $width columns there is room for $titles', ({ width, titles }) => {
  const [title = ''] = tableLines([row, lost], { ...wide, width })
  expect(title.replace('…', ' …').split(/ +/)).toEqual(titles)
})

test.each([
  {
    height: 6,
    sentences: [
      '11:41:35 Instance spot-workers/…-gyeo6u1lwwb5 is stopping:',
      'PowerState/deallocating: VM deallocating',
    ],
  },
  { height: 5, sentences: ['11:41:35 Instance spot-workers/…-gyeo6u1lwwb5 is stopping: …'] },
  { height: 4, sentences: [] },
])('in $height lines all three machines are shown, and of what happened $sentences', ({ height, sentences }) => {
  const [, ...lines] = tableLines([row, lost, young], { width: 80, height })
  expect(lines.filter((line) => line.includes('-spot-abcde') || line.startsWith('azure'))).toHaveLength(3)
  expect(lines.filter((line) => line.startsWith(' ')).map((line) => line.trim())).toEqual(sentences)
})

test.each([
  { height: 4, machines: 3, more: undefined },
  { height: 3, machines: 1, more: 'and 2 more' },
  { height: 2, machines: 0, more: 'and 3 more' },
])('in $height lines there is room for $machines of three machines', ({ height, machines, more }) => {
  const lines = tableLines([row, lost, young], { ...wide, height })
  expect(lines.length).toBeLessThanOrEqual(height)
  expect(lines.filter((line) => /^\w+-spot-/.test(line))).toHaveLength(machines)
  expect(lines.find((line) => line.startsWith('and '))).toBe(more)
})
