import { expect, it } from 'vitest'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import type { Cache } from '../runtime/cache/cache.ts'
import { kindNotFollowed } from './controller.ts'

const refersTo = (kind: string) =>
  ({ spec: { infrastructureRef: { apiGroup: 'spot.cluster.x-k8s.io', kind, name: 'm1' } } }) as Machine

it('C3: while a cloud cannot be listed the Machines of its clusters are left alone, and those of others are not', () => {
  const followed = new FakeApiserver().cache<InfraMachine>('AWSMachine')
  const unlisted: Cache<InfraMachine> = { ...followed, hasSynced: () => false }
  const cut: Cache<InfraMachine> = { ...followed, connected: () => false }
  const infraMachines = new Map([
    ['AWSMachine', followed],
    ['GCPMachine', unlisted],
    ['IBMMachine', cut],
  ])
  const of = (kind: string) => kindNotFollowed('ns/c1', { machines: { by: () => [refersTo(kind)] }, infraMachines })
  expect(['AWSMachine', 'GCPMachine', 'IBMMachine', 'Others'].map(of)).toEqual([
    undefined,
    'GCPMachine',
    'IBMMachine',
    undefined,
  ])
})
