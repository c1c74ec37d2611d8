import { expect, test } from 'vitest'
import { summarize, type VitestReport } from './test-summary.ts'

const passing = { name: 'a.test.ts', status: 'passed', assertionResults: [{ status: 'passed' }] }
const green: VitestReport = {
  success: true,
  numPassedTests: 1,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [passing],
}
const red = { ...green, success: false }
const failing = { name: 'b.test.ts', status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] }
const unloaded = { name: 'c.test.ts', status: 'failed', assertionResults: [] }

test('green is when all ran and passed', () => {
  expect(summarize(green, true)).toEqual({ line: '1 passed, 0 failed' })
})

test.each([
  {
    what: 'a failed test',
    report: { ...red, numFailedTests: 1, testResults: [passing, failing] },
    line: '1 passed, 1 failed',
    why: '1 failed',
  },
  {
    what: 'a file that did not load',
    report: { ...red, testResults: [passing, unloaded] },
    line: '1 passed, 1 failed',
    why: '1 failed',
  },
  {
    what: 'one of each',
    report: { ...red, numFailedTests: 1, testResults: [passing, failing, unloaded] },
    line: '1 passed, 2 failed',
    why: '2 failed',
  },
  {
    what: 'a skipped test',
    report: { ...green, numPendingTests: 2 },
    line: '1 passed, 0 failed',
    why: /^2 did not run/,
  },
  { what: 'a todo', report: { ...green, numTodoTests: 1 }, line: '1 passed, 0 failed', why: /^1 did not run/ },
  { what: 'an error outside of the tests', report: red, line: '1 passed, 0 failed', why: /outside of the tests/ },
  { what: 'nothing at all', report: { ...green, numPassedTests: 0 }, line: '0 passed, 0 failed', why: 'no test ran' },
  { what: 'no report', report: undefined, line: '0 passed, 1 failed', why: 'vitest ended without a report' },
])('$what is red', ({ report, line, why }) => {
  const summary = summarize(report, true)
  expect(summary.line).toBe(line)
  expect(summary.why).toMatch(why)
})

test("an error that only vitest's exit code knows is red", () => {
  expect(summarize(green, false).why).toMatch(/outside of the tests/)
})
