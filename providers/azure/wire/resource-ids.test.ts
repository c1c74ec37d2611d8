import { nameFor } from '../../shared/instance-name.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scope } from '../../../test/support/clouds/azure-specs.ts'
import { tagOf, newId } from '../../shared/ownership.ts'
import * as names from './resource-ids.ts'

const ownership = (machine = 'default/m1') => ({ owner: newId('owner'), machine, token: newId('token') })

describe('names', () => {
  it('carry the tag, and all that belongs to a machine is known by its name', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,60}[a-z0-9])?$/), (machine) => {
        const ours = ownership(`default/${machine}`)
        const name = nameFor(ours)
        expect(names.carries(name, tagOf(ours))).toBe(true)
        expect(names.carries(name, tagOf(ownership(`default/${machine}`)))).toBe(false)
        const nic = names.interfacePath({ scope, group: 'g', name }).split('/').at(-1) ?? ''
        expect(names.machineOfInterface(nic)).toBe(name)
        expect(names.machineOfDisk(names.osDiskName(name))).toBe(name)
        expect(names.machineOfDisk(names.dataDiskName(name, 'etcd-1'))).toBe(name)
        for (const other of [name, `${name}-nic2`, `x${nic}y`]) expect(names.machineOfInterface(other)).toBeUndefined()
        // The longest that Azure takes: of Linux machines and host names, of interfaces, of disks.
        expect(name.length).toBeLessThanOrEqual(63)
        expect(nic.length).toBeLessThanOrEqual(80)
        expect(names.dataDiskName(name, 'x'.repeat(16)).length).toBeLessThanOrEqual(80)
      }),
    )
  })

  it('of strangers are nobody’s', () => {
    for (const name of ['vm1-nic', 'web_OSDisk', '_', '', '-nic']) {
      expect([names.machineOfInterface(name), names.machineOfDisk(name)]).toEqual([undefined, undefined])
    }
  })
})

describe('ids', () => {
  it('are the same however Azure spells the group', () => {
    const path = (group: string) => names.machinePath({ scope, group, name: 'm1' })
    const ids = ['Spot-Workers', 'SPOT-WORKERS'].map((group) => names.idOf(names.readId(path(group))))
    expect(ids).toEqual(['spot-workers/m1', 'spot-workers/m1'])
    expect(names.partsOfId('spot-workers/m1')).toEqual({ group: 'spot-workers', name: 'm1' })
  })

  it('in which nothing can be read stand for nothing', () => {
    expect(names.readId('')).toEqual({ group: '', name: '' })
  })
})

describe('text of a tenant leads to no other call: a stranger’s machine is left alone', () => {
  const vm = { scope, group: 'g', name: 'm1' }
  const text = fc.constantFrom('a/../b', '..', '', 'm1?x=', 'm1#', 'm1%2Fx', 'm1\\x')

  it('whatever the group, the machine, the disk or the subscription is called', () => {
    fc.assert(
      fc.property(text, (odd) => {
        const refused = expect.objectContaining({ kind: 'invalid', code: 'InvalidPath' }) as Error
        expect(() => names.groupPath({ scope, group: odd })).toThrow(refused)
        expect(() => names.machinePath({ ...vm, name: odd })).toThrow(refused)
        expect(() => names.diskPath(vm, odd)).toThrow(refused)
        expect(() => names.subscriptionPath({ ...scope, account: odd }, 'Microsoft.Compute/disks')).toThrow(refused)
        expect(() => names.interfacePath({ ...vm, name: `${odd}/` })).toThrow(refused)
      }),
    )
  })

  it.each(['', 'g', 'g/', '/m1', 'g/m1/x'])('the handle "%s" in the annotation of an attempt is no id', (id) => {
    expect(() => names.partsOfId(id)).toThrow(expect.objectContaining({ kind: 'invalid', code: 'InvalidId' }) as Error)
  })
})
