import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Resource } from '../../../api/meta.ts'
import { keyOf, parseKey, pathOf } from './resource.ts'

const pods: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true }
const machines: Resource = { group: 'x.io', version: 'v1', plural: 'machines', kind: 'Machine', namespaced: true }
const nodes: Resource = { group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false }

describe('pathOf', () => {
  it.each([
    [pods, { namespace: 'a', name: 'b' }, '/api/v1/namespaces/a/pods/b'],
    [pods, {}, '/api/v1/pods'],
    [machines, { namespace: 'a' }, '/apis/x.io/v1/namespaces/a/machines'],
    [machines, { namespace: 'a', name: 'b', subresource: 'status' }, '/apis/x.io/v1/namespaces/a/machines/b/status'],
    [nodes, { name: 'n1' }, '/api/v1/nodes/n1'],
    [nodes, { namespace: 'ignored', name: 'n1' }, '/api/v1/nodes/n1'],
    [nodes, { name: 'a b?c#d' }, '/api/v1/nodes/a%20b%3Fc%23d'],
  ])('%o %o', (resource, parts, path) => {
    expect(pathOf(resource, parts)).toBe(path)
  })

  it.each(['../secrets/x', 'a/b', '..', '.', '', 'a%2Fb'])(
    'refuses the name %j, which would lead elsewhere',
    (name) => {
      expect(() => pathOf(pods, { namespace: 'a', name })).toThrow(/is not one that Kubernetes allows/)
      expect(() => pathOf(pods, { namespace: name || '/', name: 'b' })).toThrow(/is not one that Kubernetes allows/)
    },
  )

  it('asks for the namespace of what lives in one', () => {
    expect(() => pathOf(pods, { name: 'b' })).toThrow('A Pod lives in a namespace, but none was given')
  })
})

describe('keys', () => {
  it('say what they were made of', () => {
    const part = fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/)
    fc.assert(
      fc.property(part, fc.option(part, { nil: undefined }), (name, namespace) => {
        const ref = namespace === undefined ? { name } : { namespace, name }
        expect(parseKey(keyOf({ metadata: ref }))).toEqual(ref)
      }),
    )
  })
})
