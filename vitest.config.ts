import { defineConfig } from 'vitest/config'
import { LongFirst } from './test/support/long-first.ts'

/** Vitest leaves a core free if it is not told. Of two cores, the model would use one after all other tests. */
const everyCore = { maxWorkers: '100%' } as const

/** One project after the other: they have different numbers of workers. */
const shared = (groupOrder: number) =>
  ({ restoreMocks: true, sequence: { shuffle: true, groupOrder }, retry: 0 }) as const

/** `unit`: beside the source, no process, no socket but loopback. `integration` needs the real parts of test/lab. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          ...shared(0),
          ...everyCore,
          name: 'unit',
          setupFiles: ['test/support/fixed-seeds.ts'],
          // Reading the same modules anew for each file was half of the time. No test may leave anything behind in
          // them.
          isolate: false,
          include: [
            '{api,config,controllers,crds,docs,lint,providers,scripts}/**/*.test.ts',
            'test/{chaos,contract,lint,simulators,support}/**/*.test.ts',
          ],
          // Only ends what hangs. A computer that others use too may need ten times as long as usual.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        // All that may happen, in a time of its own: minutes of thought and no waiting.
        // The short stories take a second or two, and more beside a build.
        test: {
          ...shared(0),
          ...everyCore,
          name: 'model',
          include: ['test/model/**/*.test.ts'],
          testTimeout: 600_000,
        },
      },
      {
        test: {
          ...shared(1),
          name: 'integration',
          include: ['test/{lab,integration,e2e}/**/*.test.ts'],
          globalSetup: ['test/lab/processes/global-setup.ts'],
          // Only ends what hangs: each wait has a limit of its own (test/lab/eventually.ts).
          testTimeout: 900_000,
          hookTimeout: 300_000,
          // Each test has its own namespace and cloud; most of its time it waits for core.
          maxWorkers: 3,
        },
      },
    ],
  },
})
