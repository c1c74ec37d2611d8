import { expect, it } from 'vitest'
import { isReserved } from './ownership.ts'

it.each([
  ['spot.cluster.x-k8s.io/owner-id', true],
  ['kubernetes.io/cluster/c1', true],
  ['sigs.k8s.io/cluster-api-provider-aws/cluster/c1', true],
  ['aws:cloudformation:stack-name', true],
  ['AWS:x', true],
  ['Name', false],
  ['my/spot.cluster.x-k8s.io/owner-id', false],
  ['sigs.k8s.io/other', false],
])('%s is reserved: %s', (key, reserved) => {
  expect(isReserved(key)).toBe(reserved)
})
