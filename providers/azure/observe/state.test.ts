import { nameFor } from '../../shared/instance-name.ts'
import { markInName } from '../../../test/support/tag-in-name.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupPath, scope, subscription } from '../../../test/support/clouds/azure-specs.ts'
import type { Instance } from '../../../api/instance.ts'
import type { Launch } from '../../instances.ts'
import type { OwnershipTag } from '../../../api/ownership.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import { tagOf } from '../../shared/ownership.ts'
import type { NetworkInterface, VirtualMachine } from '../wire/documents.ts'
import { interfacePath, machinePath } from '../wire/resource-ids.ts'
import { tagsFor, type Bought } from './ownership.ts'
import { toInstance } from './state.ts'

const ours = { owner: 'ownerone01', machine: 'default/m1', token: 'tokennumber1' }
const name = nameFor(ours)
const vm = { scope, group: 'SPOT-WORKERS', name }
const launch: Launch = { ...ours, scope, request: {}, userData: new Uint8Array(), clusterName: 'c1' }
const bought: Bought = { capacityType: 'Spot', instanceType: 'Standard_D2s_v5', zone: '1' }
const tags = tagsFor(launch, bought, {})

/** As the list of states shows it: nothing but that. */
const machine = (provisioningState: string, power?: string, more: Partial<VirtualMachine> = {}): VirtualMachine => ({
  id: machinePath(vm),
  name,
  location: 'westus2',
  properties: {
    provisioningState,
    instanceView: {
      statuses: power === undefined ? [] : [{ code: `PowerState/${power}`, displayStatus: `VM ${power}` }],
    },
  },
  ...more,
})
const nic: NetworkInterface = {
  id: interfacePath(vm),
  name: `${name}-nic`,
  tags,
  properties: { ipConfigurations: [{ properties: { privateIPAddress: '10.0.0.4' } }, {}] },
}
const shown = (one: VirtualMachine, before?: Instance) => toInstance({ machine: one, nic, before, subscription })

describe('a machine', () => {
  it('is all that the list of states and its network interface say', () => {
    expect(shown(machine('Succeeded', 'running'))).toEqual({
      id: `spot-workers/${name}`,
      name,
      account: `/subscriptions/${subscription}/resourceGroups/spot-workers`,
      state: 'running',
      started: true,
      tag: tagOf(ours),
      ...bought,
      addresses: [
        { type: 'InternalDNS', address: name },
        { type: 'InternalIP', address: '10.0.0.4' },
      ],
    })
  })

  it.each([
    ['Creating', undefined, 'pending', false],
    ['Creating', 'stopped', 'pending', false],
    ['Creating', 'running', 'pending', false],
    ['Succeeded', 'starting', 'pending', true],
    ['Updating', 'running', 'running', true],
    ['Succeeded', 'stopping', 'stopping', true],
    ['Succeeded', 'stopped', 'stopped', true],
    ['Succeeded', 'deallocating', 'stopping', true],
    ['Updating', 'deallocated', 'stopped', true],
    ['Failed', 'running', 'running', true],
    ['Failed', 'deallocated', 'stopped', false],
    ['Failed', undefined, 'pending', false],
    ['Deleting', 'running', 'terminating', false],
    ['Succeeded', undefined, 'pending', true],
  ] as const)('%s and %s is %s, started: %s', (provisioning, power, state, started) => {
    expect(shown(machine(provisioning, power))).toMatchObject({ state, started })
  })

  it('never serves or ends by a guess, whatever Azure shows', () => {
    const words = fc.constantFrom('Creating', 'Updating', 'Succeeded', 'Failed', 'Deleting', 'New')
    const power = fc.option(fc.constantFrom('running', 'starting', 'stopped', 'deallocated', 'new'), { nil: undefined })
    fc.assert(
      fc.property(words, power, (provisioning, is) => {
        const { state, interrupted, reason } = shown(machine(provisioning, is))
        const off = is === 'stopped' || is === 'deallocated'
        return (
          (state !== 'running' || is === 'running') &&
          (state !== 'stopped' || off) &&
          (!interrupted || (off && reason?.code === `PowerState/${is}`))
        )
      }),
    )
  })
})

describe('an eviction', () => {
  it.each(['stopping', 'stopped', 'deallocating', 'deallocated'])('of a spot machine shows as %s', (power) => {
    expect(shown(machine('Succeeded', power))).toMatchObject({
      interrupted: true,
      reason: { code: `PowerState/${power}`, message: `VM ${power}` },
    })
  })

  it('is none of another machine, which somebody stopped', () => {
    const regular = { ...nic, tags: tagsFor(launch, { ...bought, capacityType: 'OnDemand' }, {}) }
    const stopped = toInstance({ machine: machine('Succeeded', 'deallocated'), nic: regular, subscription })
    expect(stopped.interrupted).toBeUndefined()
    expect(stopped.state).toBe('stopped')
  })
})

describe('a refusal after the yes', () => {
  const failed = (code: string) =>
    machine('Failed', undefined, {
      properties: {
        provisioningState: 'Failed',
        instanceView: { statuses: [{ code: `ProvisioningState/failed/${code}`, message: 'No room.' }] },
      },
    })

  it('is its failure, and what is left is off', () => {
    expect(shown(failed('ZonalAllocationFailed'))).toMatchObject({
      state: 'stopped',
      started: false,
      failure: { kind: 'capacity', code: 'ZonalAllocationFailed', message: 'No room.' },
    })
    expect(shown(failed('ZonalAllocationFailed')).interrupted).toBeUndefined()
  })

  it('is none of a machine that ran: what becomes of an update is no refusal', () => {
    const before = shown(machine('Succeeded', 'running'))
    expect(shown(failed('VMAgentStatusCommunicationError'), before)).toMatchObject({ state: 'running' })
    expect(shown(failed('VMAgentStatusCommunicationError'), before).failure).toBeUndefined()
  })
})

describe('what Azure leaves out', () => {
  const running = shown(machine('Succeeded', 'running'))

  it('the power: it is as it was', () => {
    expect(shown(machine('Succeeded'), running).state).toBe('running')
    const evicted = shown(machine('Succeeded', 'deallocated'), running)
    expect(shown(machine('Succeeded'), evicted)).toMatchObject({
      state: 'stopped',
      interrupted: true,
      reason: { code: 'PowerState/deallocated' },
    })
  })

  it('the network interface: what was known of it still holds', () => {
    const known = toInstance({ machine: machine('Succeeded', 'deallocated'), before: running, subscription })
    expect(known).toMatchObject({ ...bought, addresses: running.addresses, interrupted: true })
  })

  it('everything: then the machine speaks for itself, or nobody does', () => {
    const whole = machine('Succeeded', 'running', {
      tags,
      zones: ['2'],
      properties: { priority: 'Spot', hardwareProfile: { vmSize: 'Standard_D4s_v5' }, provisioningState: 'Succeeded' },
    })
    const { tags: _, ...untagged } = whole
    expect(toInstance({ machine: whole, subscription })).toMatchObject(bought)
    expect(toInstance({ machine: untagged, subscription })).toMatchObject({
      capacityType: 'Spot',
      instanceType: 'Standard_D4s_v5',
      zone: '2',
    })
    expect(toInstance({ machine: machine('Succeeded'), subscription })).toMatchObject({
      capacityType: 'OnDemand',
      instanceType: '',
      zone: '',
    })
  })
})

describe('whose it is', () => {
  const other = tagsFor({ ...launch, owner: 'ownertwo02' }, bought, {})
  const tagRead = (one: Partial<VirtualMachine>, of?: NetworkInterface) =>
    toInstance({ machine: machine('Succeeded', 'running', one), nic: of, subscription }).tag

  it('the name says, where nothing else does', () => {
    expect(tagRead({})).toEqual(markInName(ours))
    expect(tagRead({ id: `${groupPath}/providers/Microsoft.Compute/virtualMachines/web-1` })).toBeUndefined()
  })

  it('tags say the whole name, so that the digest alone proves nothing', () => {
    const namesake: OwnershipTag = { ...tagOf({ ...ours, machine: 'default/m2' }), machine: tagOf(ours).machine }
    for (const tag of [tagRead({ tags }), tagRead({}, nic)]) {
      expect(isOwnedBy({ tag }, tagOf(ours))).toBe(true)
      expect(isOwnedBy({ tag }, namesake)).toBe(false)
    }
  })

  it('tags that say otherwise make it nobody’s of ours', () => {
    expect(tagRead({ tags: other })).toBeUndefined()
    expect(tagRead({ tags: {} })).toBeUndefined()
    expect(tagRead({}, { ...nic, tags: other })).toBeUndefined()
    // The whole document without a tag: somebody else made it.
    expect(tagRead({ properties: { hardwareProfile: { vmSize: 'Standard_B2s' } } })).toBeUndefined()
  })
})
