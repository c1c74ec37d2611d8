import { describe, expect, it } from 'vitest'
import { FakeLookups, network, wantedWith, type Given } from '../../../test/support/clouds/ibm-specs.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { securityGroupsFor } from './groups.ts'
import { keysFor } from './ssh-key.ts'
import { readWanted } from './wanted.ts'

function asking(given: Given) {
  const lookups = new FakeLookups()
  lookups.keyNames = [{ id: 'k1', name: 'admin' }]
  lookups.groupNames = [
    { id: 'g1', name: 'nodes' },
    { id: 'g2', name: 'twice' },
    { id: 'g3', name: 'twice' },
  ]
  const wanted = readWanted(wantedWith(given))
  return {
    lookups,
    keys: () => keysFor(wanted, lookups, quietCtx()),
    groups: () => securityGroupsFor(wanted, 'r006-vpc', lookups, quietCtx()),
  }
}
const own = (securityGroups: { id?: string; name?: string }[]) => ({ primaryNetworkInterface: { securityGroups } })

describe('keys', () => {
  it('are none where none is named, and nobody is asked for those named by their ids', async () => {
    const none = asking({})
    expect(await none.keys()).toBeUndefined()
    const named = asking({ machine: { sshKeys: [{ id: 'k9' }] } })
    expect(await named.keys()).toEqual([{ id: 'k9' }])
    expect([none.lookups.asked, named.lookups.asked]).toEqual([[], []])
  })

  it('are found by their names; one that is not there is refused, with the field', async () => {
    expect(await asking({ machine: { sshKeys: [{ name: 'admin' }] } }).keys()).toEqual([{ id: 'k1' }])
    await expect(asking({ machine: { sshKeys: [{ name: 'nobody' }] } }).keys()).rejects.toMatchObject({
      kind: 'invalid',
      message: 'spec.sshKeys of the IBMMachine: the name nobody does not exist; correct it, or use the id.',
    })
  })
})

describe('security groups', () => {
  const cluster = { network: { ...network, securityGroups: [{ name: 'nodes' }] } }

  it('are the machine’s own, else the cluster’s, else none', async () => {
    expect(await asking({ machine: own([{ id: 'g9' }]), cluster }).groups()).toEqual([{ id: 'g9' }])
    const fromCluster = asking({ cluster })
    expect(await fromCluster.groups()).toEqual([{ id: 'g1' }])
    expect(fromCluster.lookups.asked).toEqual(['groups of r006-vpc'])
    expect(await asking({}).groups()).toBeUndefined()
  })

  it('of which several have the name are not chosen from', async () => {
    await expect(asking({ machine: own([{ name: 'twice' }]) }).groups()).rejects.toThrow(
      'spec.primaryNetworkInterface.securityGroups of the IBMMachine: the name twice is not unique; use the id.',
    )
    const wrong = { network: { ...network, securityGroups: [{ name: 'none' }] } }
    await expect(asking({ cluster: wrong }).groups()).rejects.toThrow(
      'spec.network.securityGroups of the IBMCluster: the name none does not exist',
    )
  })
})
