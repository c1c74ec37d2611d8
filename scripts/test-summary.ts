/** The fields of vitest's json report that we read. */
export interface VitestReport {
  success: boolean
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[]
}

export interface TestSummary {
  /** `N passed, N failed`: failed counts tests, and files that failed as a whole (they did not load, or a hook did). */
  line: string
  /** Why the run counts as red; undefined when it is green. */
  why?: string
}

/** `clean` says whether vitest itself ended with 0: an error outside of any test shows nowhere else. */
export function summarize(report: VitestReport | undefined, clean: boolean): TestSummary {
  if (!report) return { line: '0 passed, 1 failed', why: 'vitest ended without a report' }
  const files = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((assertion) => assertion.status !== 'failed'),
  ).length
  const failed = report.numFailedTests + files
  const line = `${report.numPassedTests} passed, ${failed} failed`
  const skipped = report.numPendingTests + report.numTodoTests
  if (failed > 0) return { line, why: `${failed} failed` }
  if (skipped > 0) return { line, why: `${skipped} did not run (skipped or todo)` }
  if (report.numPassedTests === 0) return { line, why: 'no test ran' }
  if (!report.success || !clean) return { line, why: 'vitest reports an error outside of the tests; it stands above' }
  return { line }
}
