import { expect, test } from 'vitest'
import { faultIn, inWords, type Station } from './course-words.ts'

const usual = { deleted: 1_234, made: 1_600, runs: 9_000, drained: 22_050, ended: 23_000 }
const passed = (times: Partial<Record<Station, number>>) => new Map(Object.entries(times) as [Station, number][])

test('every time is told, the earliest first, and what was left of the notice', () => {
  expect(inWords(passed(usual), 120_000)).toBe(
    'After the notice: Machine deleted 1.2 s, replacement made 1.6 s, replacement Running 9.0 s, ' +
      'Node drained 22.1 s, instance ended 23.0 s. 97.0 s of the notice were left.',
  )
  expect(inWords(passed({ ...usual, runs: 25_000 }), 120_000)).toMatch(
    /instance ended 23\.0 s, replacement Running 25\.0 s\. 97\.0 s of the notice/,
  )
})

test('an instance that the cloud took in the middle of the drain is told as such', () => {
  const { deleted, made, runs } = usual
  const cut = passed({ deleted, made, runs, ended: 30_020 })
  expect(faultIn(cut, 30_000)).toBeUndefined()
  expect(inWords(cut, 30_000)).toMatch(/instance ended 30\.0 s\. The announced end came first\.$/)
})

test.each<[string, Partial<Record<Station, number>>, string | undefined]>([
  ['as it should be', usual, undefined],
  ['not over', { deleted: 1_000, made: 1_200 }, 'Not yet: replacement Running, Node drained, instance ended.'],
  ['ended while it drained', { ...usual, drained: 25_000 }, 'The instance ended 2.0 s before the drain.'],
  ['ended undrained', { deleted: 1, made: 2, runs: 3, ended: 4 }, 'Not yet: Node drained.'],
])('a course that is %s', (_, times, fault) => {
  expect(faultIn(passed(times), 120_000)).toBe(fault)
})
