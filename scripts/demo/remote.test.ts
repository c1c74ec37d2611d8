import { expect, test } from 'vitest'
import { commandLines } from './remote.ts'

test('every command can be typed as it stands, and fits a terminal of 80 columns', () => {
  const lines = commandLines('http://127.0.0.1:34567', 'azure')
  expect(lines[0]).toBe('  curl -X POST 127.0.0.1:34567/azure/interrupt      reclaims an instance')
  for (const line of lines) {
    expect(line).toMatch(/^ {2}curl -X POST 127\.0\.0\.1:34567\/azure\/[a-z/3-]+ +\S.*$/)
    expect(line.length).toBeLessThanOrEqual(80)
  }
})
