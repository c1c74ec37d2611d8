import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { LongFirst, longFiles } from './long-first.ts'

const root = path.join(import.meta.dirname, '..', '..')

test('every long file exists', () => {
  expect(longFiles.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})

test('the long files begin first, on a computer that has never run any', async () => {
  const project = { name: 'integration', config: { isolate: true, sequence: { groupOrder: 1 } } }
  const files = ['test/integration/admission.test.ts', 'test/integration/chaos.test.ts', 'test/lab/lifetime.test.ts']
  const specs = files.map((file) => ({ moduleId: path.join(root, file), project }) as unknown as TestSpecification)
  const cache = { getTestSpecificationResult: () => undefined }
  const sorted = await new LongFirst({ cache } as unknown as Vitest).sort(specs)
  expect(sorted.map(({ moduleId }) => path.relative(root, moduleId))).toEqual([
    'test/lab/lifetime.test.ts',
    'test/integration/chaos.test.ts',
    'test/integration/admission.test.ts',
  ])
})
