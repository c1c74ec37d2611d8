import { describe, expect, it } from 'vitest'
import { ForeignAnswer } from '../../shared/foreign-answer.ts'
import type { GceInstance } from '../wire/documents.ts'
import { fromOperation, partsOfId, toInstance } from './state.ts'

const name = 'm1-ownerone01-machinemark1-tokennumber1'
const zoneAddress = 'https://www.googleapis.com/compute/v1/projects/my-project/zones/europe-west1-b'
const full: GceInstance = {
  id: '8223372036854775807',
  name,
  zone: zoneAddress,
  status: 'RUNNING',
  machineType: `${zoneAddress}/machineTypes/e2-standard-4`,
  labels: {
    'capspot-owner-id': 'ownerone01',
    'capspot-machine': 'machinemark1',
    'capspot-attempt': 'tokennumber1',
    team: 'a',
  },
  lastStartTimestamp: '2026-01-01T00:00:00.000-08:00',
  scheduling: { provisioningModel: 'SPOT', preemptible: true, instanceTerminationAction: 'DELETE' },
  reservationAffinity: { consumeReservationType: 'NO_RESERVATION' },
  networkInterfaces: [
    { networkIP: '10.0.0.2', ipv6Address: 'fd20::2', accessConfigs: [{ natIP: '34.0.0.2' }, {}] },
    { networkIP: '10.1.0.2' },
  ],
}
const instance = (over: Partial<GceInstance>) => toInstance({ ...full, ...over }, 'my-project')

describe('an instance of GCE', () => {
  it('as ours', () => {
    expect(instance({})).toEqual({
      id: 'europe-west1-b/8223372036854775807',
      name,
      account: 'my-project',
      state: 'running',
      started: true,
      tag: { owner: 'ownerone01', machine: 'machinemark1', token: 'tokennumber1' },
      capacityType: 'Spot',
      instanceType: 'e2-standard-4',
      zone: 'europe-west1-b',
      isDeletedWhenPreempted: true,
      addresses: [
        { type: 'InternalIP', address: '10.0.0.2' },
        { type: 'InternalIP', address: 'fd20::2' },
        { type: 'ExternalIP', address: '34.0.0.2' },
        { type: 'InternalIP', address: '10.1.0.2' },
        { type: 'InternalDNS', address: `${name}.europe-west1-b.c.my-project.internal` },
        { type: 'InternalDNS', address: `${name}.c.my-project.internal` },
        { type: 'InternalDNS', address: name },
      ],
    })
  })

  it.each([
    ['PENDING', 'pending', false],
    ['PROVISIONING', 'pending', false],
    ['STAGING', 'pending', true],
    ['RUNNING', 'running', true],
    ['REPAIRING', 'pending', true],
    ['PENDING_STOP', 'stopping', true],
    ['STOPPING', 'stopping', true],
    ['SUSPENDING', 'stopping', true],
    ['SUSPENDED', 'stopped', true],
    ['STOPPED', 'stopped', true],
    ['TERMINATED', 'stopped', true],
    ['DEPROVISIONING', 'terminating', true],
    ['SOMETHING_NEW', 'pending', true],
  ])('%s is %s, started: %s', (status, state, started) => {
    expect(instance({ status })).toMatchObject({ state, started })
  })

  it.each(['STOPPING', 'TERMINATED', 'DEPROVISIONING'])(
    '%s without ever having been started is not started',
    (status) => {
      const { lastStartTimestamp: _, ...never } = full
      expect(toInstance({ ...never, status }, 'my-project').started).toBe(false)
    },
  )

  it.each([
    ['Spot', { scheduling: { provisioningModel: 'SPOT' } }],
    ['Spot', { scheduling: { preemptible: true } }],
    ['OnDemand', { scheduling: { provisioningModel: 'STANDARD', preemptible: false } }],
    ['Reserved', { scheduling: {}, reservationAffinity: { consumeReservationType: 'SPECIFIC_RESERVATION' } }],
    ['OnDemand', { scheduling: {}, reservationAffinity: { consumeReservationType: 'ANY_RESERVATION' } }],
  ])('was bought as %s: %o', (capacityType, over) => {
    expect(instance(over).capacityType).toBe(capacityType)
  })

  it.each([
    ['another’s name', { name: 'worker' }],
    ['a name of another attempt', { name: 'm1-ownerone01-machinemark1-tokennumber2' }],
    ['labels of another owner', { labels: { ...full.labels, 'capspot-owner-id': 'ownertwo02' } }],
    ['a label taken away', { labels: { 'capspot-owner-id': 'ownerone01' } }],
    ['no labels', { labels: {} }],
  ])('is not provably ours with %s', (_, over) => {
    expect(instance(over).tag).toBeUndefined()
  })

  it('may say no more than where it is and how it is', () => {
    const { id, zone } = full
    expect(toInstance({ id, zone, name: 'a', status: 'NEW' }, 'my-project')).toMatchObject({
      id: 'europe-west1-b/8223372036854775807',
      state: 'pending',
      tag: undefined,
      capacityType: 'OnDemand',
    })
  })
})

it.each([
  { targetLink: `${zoneAddress}/instances/${name}` },
  { targetId: '42' },
  { targetId: '42', targetLink: 'projects/p/zones/a b/instances/c' },
])('an operation that does not say of which instance it is proves nothing: %j', (operation) => {
  expect(() => fromOperation(operation, 'my-project')).toThrow(ForeignAnswer)
})

it('an operation tells where its instance is and whose, whatever else is not known', () => {
  const operation = { targetId: '42', targetLink: `${zoneAddress}/instances/${name}` }
  expect(fromOperation(operation, 'my-project')).toMatchObject({
    id: 'europe-west1-b/42',
    name,
    zone: 'europe-west1-b',
    state: 'pending',
    started: false,
    tag: { owner: 'ownerone01', machine: 'machinemark1', token: 'tokennumber1' },
  })
  expect(partsOfId('europe-west1-b/42')).toEqual({ zone: 'europe-west1-b', numeric: '42' })
})
