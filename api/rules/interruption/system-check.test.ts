import { expect, it } from 'vitest'
import { systemCheckVerdict } from './system-check.ts'

it('a host that fails is said, with the time since when', () => {
  const verdict = systemCheckVerdict(Date.UTC(2026, 0, 2, 3, 4, 5), 'i-1', false)
  expect(verdict).toMatchObject({ status: 'False', reason: 'Impaired' })
  expect(verdict?.message).toContain('instance i-1 impaired since 2026-01-02T03:04:05Z')
})

it('one that passes is said only where it failed before', () => {
  expect(systemCheckVerdict('passes', 'i-1', false)).toBeUndefined()
  expect(systemCheckVerdict('passes', 'i-1', true)).toMatchObject({ status: 'True', reason: 'Passed' })
})

it('while the cloud has not been asked, what was said stays', () => {
  expect(systemCheckVerdict(undefined, 'i-1', true)).toBeUndefined()
})
