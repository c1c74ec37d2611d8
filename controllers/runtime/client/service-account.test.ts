import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { podNamespace } from './service-account.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'capspot-pod-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('knows the namespace of the pod, and that there is none outside of a cluster', async () => {
  expect(await podNamespace(folder)).toBeUndefined()
  await writeFile(path.join(folder, 'namespace'), 'capspot-system\n')
  expect(await podNamespace(folder)).toBe('capspot-system')
})
