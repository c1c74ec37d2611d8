import { nameFor } from '../../shared/instance-name.ts'
import { tagOf } from '../../shared/ownership.ts'
import { describe, expect, it } from 'vitest'
import { groupPath, scope } from '../../../test/support/clouds/azure-specs.ts'
import type { Launch } from '../../instances.ts'
import type { Disk, NetworkInterface } from '../wire/documents.ts'
import { dataDiskName, idOf, interfacePath } from '../wire/resource-ids.ts'
import { tagsFor } from './ownership.ts'
import { isHere, Parts } from './parts.ts'

const ours = { owner: 'ownerone01', machine: 'default/m1', token: 'tokennumber1' }
const name = nameFor(ours)
const launch: Launch = { ...ours, scope, request: {}, userData: new Uint8Array(), clusterName: 'c1' }
const tags = tagsFor(launch, { capacityType: 'Spot', instanceType: 'Standard_D2s_v5', zone: '1' }, {})
const nic = (more: Partial<NetworkInterface> = {}): NetworkInterface => {
  return {
    id: interfacePath({ scope, group: 'Spot-Workers', name }),
    name: `${name}-nic`,
    location: 'westus2',
    tags,
    ...more,
  }
}
const disk = (more: Partial<Disk> = {}): Disk => {
  const own = dataDiskName(name, 'a')
  return { id: `${groupPath}/providers/Microsoft.Compute/disks/${own}`, name: own, location: 'westus2', ...more }
}
const none = new Set<string>()

describe('what was made for a machine that is not there', () => {
  it('is one leftover with the machine’s tag, however much of it there is', () => {
    const left = new Parts(scope, [nic()], [disk(), disk()]).leftovers(none)
    expect(left).toMatchObject([
      {
        id: `spot-workers/${name}-nic`,
        name,
        state: 'leftover',
        started: false,
        tag: tagOf(ours),
        capacityType: 'Spot',
      },
    ])
    expect(new Parts(scope, [], [disk()]).leftovers(none)).toMatchObject([{ id: `spot-workers/${name}_a`, name }])
  })

  it('is none while the machine is there', () => {
    const parts = new Parts(scope, [nic()], [disk()])
    const id = idOf({ group: 'Spot-Workers', name })
    expect(parts.leftovers(new Set([id]))).toEqual([])
    expect(parts.interfaceOf(id)).toEqual(nic())
  })

  it('is none while it belongs to a machine, though no list shows that yet', () => {
    const attached = nic({ properties: { virtualMachine: { id: '/m' } } })
    expect(new Parts(scope, [attached], []).leftovers(none)).toEqual([])
    expect(new Parts(scope, [], [disk({ managedBy: '/m' })]).leftovers(none)).toEqual([])
  })

  it('is none of ours where it is another’s, or elsewhere', () => {
    const { id, name: own, location } = nic()
    const strangers = [
      { id, name: own, ...(location ? { location } : {}) },
      nic({ tags: { ...tags, 'spot.cluster.x-k8s.io_owner-id': 'ownertwo02' } }),
      nic({ location: 'eastus' }),
      { ...nic(), id: `${groupPath}/providers/Microsoft.Network/networkInterfaces/web-nic`, name: 'web-nic' },
    ]
    for (const stranger of strangers) expect(new Parts(scope, [stranger], []).leftovers(none)).toEqual([])
  })
})

it('a location may be written in words, and where none is said nothing is elsewhere', () => {
  const at = (location: string) => isHere({ id: '', name: '', location }, scope)
  expect([at('West US 2'), at('westus2'), at('westus')]).toEqual([true, true, false])
  expect(isHere({ id: '', name: '' }, scope)).toBe(true)
})
