import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { OwnershipTag, Ownership } from '../../api/ownership.ts'
import { instanceName, tagIn, nameFor, refuseUnfitOwner } from './instance-name.ts'
import { isOwnedBy } from '../../api/ownership.ts'
import { machineDigest, machineDigestLength, tagOf, namespaceDigest, newId, notOurs } from './ownership.ts'

const kubeName = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,80}[a-z0-9])?$/)
const machines = fc.tuple(kubeName, kubeName).map(([namespace, name]) => `${namespace}/${name}`)
const owners = fc.stringMatching(/^[a-z][a-z0-9]{9}$/)
const tokens = fc.stringMatching(/^[a-z][a-z0-9]{11}$/)
const ownerships = fc.record({ owner: owners, machine: machines, token: tokens })

it('a name is valid in every cloud and gives back the tag, whatever the machine is called', () => {
  fc.assert(
    fc.property(ownerships, (ownership) => {
      const name = instanceName(ownership) ?? ''
      expect(name).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])$/)
      expect(name).not.toContain('--')
      const { machineName: _, ...tag } = tagOf(ownership)
      expect(tagIn(name)).toEqual(tag)
    }),
  )
})

it('a name begins with that of the machine, for people', () => {
  const name = instanceName({ owner: 'ownerone01', machine: 'default/web-7xk2p', token: 'tokennumber1' })
  expect(name).toMatch(/^web-7xk2p-ownerone01-[a-z0-9]{12}-tokennumber1$/)
})

it('an owner id that somebody wrote by hand has no name', () => {
  for (const owner of ['', 'short', 'Ten-Chars!', 'a5c8f9d2-0000-4000-8000-000000000001']) {
    expect(instanceName({ owner, machine: 'default/m1', token: 'tokennumber1' })).toBeUndefined()
  }
})

it('who asks for such a name is told which annotation to remove', () => {
  const error = { kind: 'invalid', code: 'InvalidOwnerId' }
  const says = /^Annotation spot\.cluster\.x-k8s\.io\/owner-id of the Cluster is "By-Hand": .* Remove the annotation/
  const asked = () => nameFor({ owner: 'By-Hand', machine: 'default/m1', token: 'tokennumber1' })
  expect(asked).toThrow(expect.objectContaining(error) as Error)
  expect(asked).toThrow(says)
  expect(() => refuseUnfitOwner('By-Hand', 'default/m1')).toThrow(says)
  for (const fine of ['ownerone01', undefined]) expect(() => refuseUnfitOwner(fine, 'default/m1')).not.toThrow()
})

it('a name that is not one of ours has no tag', () => {
  for (const name of ['', 'web', 'web-ownerone01-tokennumber1', 'WEB-ownerone01-000000000000-tokennumber1']) {
    expect(tagIn(name)).toBeUndefined()
  }
})

it('the tags of a namespace begin alike, and those of another do not', () => {
  fc.assert(
    fc.property(machines, kubeName, (machine, other) => {
      const namespace = machine.slice(0, machine.indexOf('/'))
      expect(machineDigest(machine)).toHaveLength(machineDigestLength)
      expect(machineDigest(machine).startsWith(namespaceDigest(namespace))).toBe(true)
      expect(machineDigest(machine).startsWith(namespaceDigest(other))).toBe(other === namespace)
    }),
  )
})

it('only what agrees in owner, machine and token is owned', () => {
  fc.assert(
    fc.property(ownerships, ownerships, (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other)
      expect(isOwnedBy({ tag: tagOf(one) }, tagOf(other))).toBe(same)
      expect(isOwnedBy({ tag: undefined }, tagOf(one))).toBe(false)
    }),
  )
})

it('the whole name decides where the cloud stores it, however alike two digests are', () => {
  fc.assert(
    fc.property(ownerships, machines, (ours, other) => {
      fc.pre(other !== ours.machine)
      const theirs = { ...tagOf({ ...ours, machine: other }), machine: tagOf(ours).machine }
      expect(isOwnedBy({ tag: theirs }, tagOf(ours))).toBe(false)
      const { machineName: _, ...withoutName } = theirs
      expect(isOwnedBy({ tag: withoutName }, tagOf(ours))).toBe(true)
    }),
  )
})

it('the name of a machine does not pass for its digest, so that an Ownership is no proof: by type and by value', () => {
  const passesForMark: Ownership extends OwnershipTag ? true : false = false
  const ours: Ownership = { owner: 'ownerone01', machine: 'default/m1', token: 'tokennumber1' }
  expect([passesForMark, tagOf(ours).machine === ours.machine]).toEqual([false, false])
})

it('what is not ours is left alone, and a person is told what to do', () => {
  expect(notOurs('Instance i-1')).toMatchObject({
    kind: 'conflict',
    code: 'NotOurs',
    message:
      'Instance i-1 does not provably belong to this machine, so the manager does not change it. ' +
      'If it is yours, delete or rename it; otherwise replace the Machine.',
  })
})

it('ids are of the length and the letters that a name takes, and no two are the same', () => {
  const ids = Array.from({ length: 1000 }, () => newId('token'))
  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) expect(id).toMatch(/^[a-z][a-z0-9]{11}$/)
})
