import { nameFor } from '../../shared/instance-name.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Launch } from '../../instances.ts'
import { newId } from '../../shared/ownership.ts'
import { ownershipLabels, readTag, requestIdOf } from './ownership.ts'

const want = (over: Partial<Launch> = {}): Launch => ({
  owner: 'ownerone01',
  machine: 'default/m1',
  token: 'tokennumber1',
  scope: { cloud: 'gcp', identity: 'default', account: 'my-project', region: 'europe-west1' },
  request: {},
  userData: new Uint8Array(),
  clusterName: 'c1',
  ...over,
})

describe('labels', () => {
  it('say whose it is, after what a user gave', () => {
    const given = { team: 'a', 'capspot-owner-id': 'stolen', 'capg-cluster-c1': 'owned', 'goog-x': 'y' }
    expect(ownershipLabels(want(), given)).toEqual({
      team: 'a',
      'capspot-cluster': 'c1',
      'capspot-owner-id': 'ownerone01',
      'capspot-machine': expect.stringMatching(/^[a-z0-9]{12}$/) as string,
      'capspot-attempt': 'tokennumber1',
    })
  })

  it('are such as GCE takes, and with the name they lead back to the tag, whatever the objects are called', () => {
    const objectName = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,60}[a-z0-9])?$/)
    fc.assert(
      fc.property(objectName, objectName, objectName, (namespace, machine, clusterName) => {
        const ours = want({
          owner: newId('owner'),
          token: newId('token'),
          machine: `${namespace}/${machine}`,
          clusterName,
        })
        const labels = ownershipLabels(ours, {})
        for (const [key, value] of Object.entries(labels)) {
          expect(key).toMatch(/^[a-z][a-z0-9_-]{0,62}$/)
          expect(value).toMatch(/^[a-z0-9_-]{0,63}$/)
        }
        const name = nameFor(ours)
        expect(name).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/)
        expect(readTag({ id: '1', zone: 'z', status: 'RUNNING', name, labels })).toMatchObject({
          owner: ours.owner,
          token: ours.token,
        })
      }),
    )
  })
})

describe('the requestId', () => {
  it('is the same UUID for every call of an attempt, and another for any other', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(requestIdOf(one)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(requestIdOf(one) === requestIdOf(other)).toBe(one === other)
      }),
    )
  })
})
