import { expect, it } from 'vitest'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { Holder } from './holder.ts'

const lease = { namespace: 'capspot-system', name: 'lease' }
const managementCluster = (uid: string) => {
  const apiserver = new FakeApiserver()
  apiserver.put('Namespace', { metadata: { name: 'kube-system', uid } })
  return apiserver
}

it('is the management cluster and the Lease in it', async () => {
  expect(await new Holder(managementCluster('one').client(), lease).name(quietCtx())).toBe('one/capspot-system/lease')
})

it('differs where either does, and is the same in a copy of etcd', async () => {
  const nameOf = (apiserver: FakeApiserver, own = lease) => new Holder(apiserver.client(), own).name(quietCtx())
  const [one, other] = [managementCluster('one'), managementCluster('other')]
  const name = await nameOf(one)
  expect(await nameOf(other)).not.toBe(name)
  expect(await nameOf(one, { ...lease, name: 'another' })).not.toBe(name)
  const copy = new FakeApiserver()
  copy.putBack(one.copy())
  expect(await nameOf(copy)).toBe(name)
})

it('is asked for again when it could not be read', async () => {
  const apiserver = new FakeApiserver()
  const holder = new Holder(apiserver.client(), lease)
  await expect(holder.name(quietCtx())).rejects.toMatchObject({ status: 404 })
  apiserver.put('Namespace', { metadata: { name: 'kube-system', uid: 'one' } })
  expect(await holder.name(quietCtx())).toBe('one/capspot-system/lease')
})
