import { expect, it } from 'vitest'
import { providerIDOf } from './provider-id.ts'

it('is what the cloud provider for GCP writes to the Node', () => {
  const instance = {
    id: 'europe-west1-b/42',
    name: 'm1',
    account: 'example.com:my-project',
    state: 'running',
    started: true,
    tag: undefined,
    capacityType: 'Spot',
    instanceType: 'e2-standard-4',
    zone: 'europe-west1-b',
    addresses: [],
  } as const
  expect(providerIDOf(instance)).toBe('gce://example.com:my-project/europe-west1-b/m1')
})
