import path from 'node:path'
import { expect, test } from 'vitest'
import { startLab } from './lab.ts'
import { readManifests } from './objects.ts'
import { servedKinds } from './served-kinds.ts'

const ours = path.join(import.meta.dirname, '..', '..', 'crds')

test('the served versions of every definition are its kinds', () => {
  const versions = [
    { name: 'v1', served: false },
    { name: 'v2', served: true },
    { name: 'v3', served: true },
  ]
  const names = { kind: 'Thing', plural: 'things' }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', scope: 'Cluster', names, versions },
  }
  const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }
  expect(servedKinds([other, definition])).toEqual([
    { group: 'example.com', version: 'v2', ...names, namespaced: false },
    { group: 'example.com', version: 'v3', ...names, namespaced: false },
  ])
})

test('when a lab is up every kind of ours can be listed at once', async () => {
  const kinds = servedKinds(await readManifests(ours))
  expect(kinds.map(({ kind }) => kind)).toContain('AWSMachine')
  await using lab = await startLab({ core: false })
  const listed = await Promise.all(kinds.map((kind) => lab.client.list(kind, { resourceVersion: '0' }, lab.ctx)))
  expect(listed.flatMap(({ items }) => items)).toEqual([])
})
