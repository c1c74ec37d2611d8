import { expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import type { Instance } from '../../api/instance.ts'
import { tagOf } from '../shared/ownership.ts'
import { changedMachines, snapshotOf } from './snapshot.ts'

const instance: Instance = {
  id: 'i-1',
  state: 'running',
  started: true,
  tag: tagOf({ owner: 'o', machine: 'default/a', token: 't' }),
  capacityType: 'Spot',
  instanceType: 'm5.large',
  zone: 'us-east-1a',
  addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
}

const changes = (before: readonly Instance[], after: readonly Instance[]) => [
  ...changedMachines(snapshotOf(before, { begunAt: 1 }), snapshotOf(after, { begunAt: 2 })),
]
const failure = (message: string) => new CloudError('capacity', { code: 'NoCapacity', message })

it.each<[string, Partial<Instance>]>([
  ['state', { state: 'stopped' }],
  ['started', { started: false }],
  ['reason', { reason: { code: 'Server.SpotInstanceTermination', message: 'Taken back.' } }],
  ['interruption', { interrupted: true }],
  ['failure', { failure: failure('None left.') }],
  ['addresses', { addresses: [] }],
])('a changed %s wakes the machine', (_, change) => {
  expect(changes([instance], [{ ...instance, ...change }])).toEqual([instance.tag?.machine])
})

it('an instance that comes or goes wakes its machine', () => {
  expect(changes([], [instance])).toEqual([instance.tag?.machine])
  expect(changes([instance], [])).toEqual([instance.tag?.machine])
})

it('the same instance in another list wakes nobody, whatever words its failure has', () => {
  expect(changes([instance], [{ ...instance, addresses: [...instance.addresses] }])).toEqual([])
  const failed = (message: string) => ({ ...instance, failure: failure(message) })
  expect(changes([failed('None left.')], [failed('None left at noon.')])).toEqual([])
})
