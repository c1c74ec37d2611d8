import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Those that take a minute and a half and more. Begun last, one would run alone at the end. Vitest knows how long a
 * file took only where it has run before; elsewhere it begins with the largest files.
 */
export const longFiles = [
  'test/e2e/demo.test.ts',
  'test/integration/agent.test.ts',
  'test/integration/aws-leader-election.test.ts',
  'test/integration/aws-outage.test.ts',
  'test/integration/bad-input.test.ts',
  'test/integration/chaos.test.ts',
  'test/integration/clouds-deleted.test.ts',
  'test/integration/clouds-failures.test.ts',
  'test/integration/clouds-faults.test.ts',
  'test/integration/clouds-restored.test.ts',
  'test/integration/clusterctl-move.test.ts',
  'test/integration/credentials.test.ts',
  'test/integration/interruption-drain.test.ts',
  'test/integration/interruption-planned.test.ts',
  'test/integration/interruption-seen.test.ts',
  'test/integration/interruption-sources.test.ts',
  'test/integration/remediation.test.ts',
  'test/integration/replacement-ahead-storm.test.ts',
  'test/integration/two-leaders.test.ts',
  'test/lab/lifetime.test.ts',
  'test/model/known.test.ts',
  'test/model/model.test.ts',
  'test/model/pools.test.ts',
] as const

const ids = new Set<string>(longFiles.map((file) => path.join(import.meta.dirname, '..', '..', file)))

/** The long files of a project first, the others in vitest's own order. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return ids.has(moduleId)
}
