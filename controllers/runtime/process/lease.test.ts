import { expect, it } from 'vitest'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { Candidate, LeaseStore } from '../../../test/support/worlds/lease-world.ts'
import { LeaseLost, type LeaseOptions } from './lease.ts'

function setting() {
  const world = new FakeClock()
  const store = new LeaseStore()
  const candidate = (identity: string, more: Partial<LeaseOptions> = {}) =>
    new Candidate({ world, store }, { identity, ...more })
  return { world, store, candidate }
}

it('makes the lease where there is none, and says who holds it since when', async () => {
  const { world, store, candidate } = setting()
  const a = candidate('a').start()
  await world.advance(0)
  expect(a.lease.held()).toBe(true)
  expect(store.spec).toEqual({
    holderIdentity: 'a',
    leaseDurationSeconds: 15,
    acquireTime: '2026-01-01T00:00:00.000000Z',
    renewTime: '2026-01-01T00:00:00.000000Z',
    leaseTransitions: 0,
  })
  await world.advance(4_500)
  expect(store.spec).toMatchObject({
    acquireTime: '2026-01-01T00:00:00.000000Z',
    renewTime: '2026-01-01T00:00:04.000000Z',
    leaseTransitions: 0,
  })
})

it('takes over 15 s after it has first seen the record of one that died, whatever time stands in it', async () => {
  const { world, store, candidate } = setting()
  store.put({
    holderIdentity: 'dead',
    leaseDurationSeconds: 15,
    renewTime: '2001-01-01T00:00:00.000000Z',
    leaseTransitions: 3,
  })
  const a = candidate('a').start()
  await world.advance(14_999)
  expect(a.lease.held()).toBe(false)
  await world.advance(1)
  expect(a.lease.held()).toBe(true)
  expect(store.spec).toMatchObject({ holderIdentity: 'a', leaseTransitions: 4 })
})

it('remembers when others had renewed it before it was taken, and never its own renewals', async () => {
  const { world, store, candidate } = setting()
  const renewTime = '2025-12-31T00:00:00.000000Z'
  const acquireTime = '2025-12-30T00:00:00.000000Z'
  store.put({ holderIdentity: 'dead', leaseDurationSeconds: 15, acquireTime, renewTime })
  const a = candidate('a')
  // The answer to the write by which it takes the lease is lost, so that it reads its own record next.
  const promptly = { thereMs: 0, backMs: 0 }
  a.fates.push(...Array.from({ length: 8 }, () => promptly))
  a.start()
  await world.advance(14_000)
  a.fates.length = 0
  a.fates.push(promptly, { ...promptly, fault: 'answer' })
  await world.advance(10_000)
  expect(store.spec?.holderIdentity).toBe('a')
  expect(a.lease.held()).toBe(true)
  await world.advance(30_000)
  expect(a.lease.predecessor()).toMatchObject({ renewedAt: Date.parse(renewTime), ledForMs: 86_400_000 })
})

it('has not led for long when etcd was put back to an older copy', async () => {
  const { world, store, candidate } = setting()
  const a = candidate('a').start()
  await world.advance(60_000)
  const copy = store.spec ?? {}
  await world.advance(60_000)
  expect(store.spec?.acquireTime).toBe('2026-01-01T00:00:00.000000Z')
  store.put(copy)
  await world.advance(10_000)
  expect(a.lease.held()).toBe(true)
  expect(Date.parse(store.spec?.acquireTime ?? '')).toBeGreaterThanOrEqual(Date.UTC(2026, 0, 1, 0, 2))
})

it('waits as long as the holder has asked for, not as long as it would itself', async () => {
  const { world, store, candidate } = setting()
  store.put({ holderIdentity: 'patient', leaseDurationSeconds: 60 })
  const a = candidate('a').start()
  await world.advance(59_999)
  expect(a.lease.held()).toBe(false)
  await world.advance(1)
  expect(a.lease.held()).toBe(true)
})

it('goes on at once when it is started again under the same identity', async () => {
  const { world, store, candidate } = setting()
  store.put({ holderIdentity: 'pod-uid', leaseDurationSeconds: 15, acquireTime: 'then', leaseTransitions: 3 })
  const a = candidate('pod-uid').start()
  await world.advance(0)
  expect(a.lease.held()).toBe(true)
  expect(store.spec).toMatchObject({ acquireTime: 'then', leaseTransitions: 3 })
})

it('A9: takes over at once from the process that it found in its own pod, which ends when it tries to renew', async () => {
  const { world, store, candidate } = setting()
  const older = candidate('pod-uid/1').start()
  await world.advance(3_000)
  const younger = candidate('pod-uid/2').start()
  await world.advance(0)
  expect(younger.lease.held()).toBe(true)
  await world.advance(2_000)
  expect([older.lease.held(), younger.lease.held()]).toEqual([false, true])
  expect(older.ended).toBeInstanceOf(LeaseLost)
  expect(store.spec).toMatchObject({ holderIdentity: 'pod-uid/2', leaseTransitions: 1 })
})

it('A9: a process that was in the pod first waits for one that came after it, as for any other', async () => {
  const { world, store, candidate } = setting()
  store.put({ holderIdentity: 'other-pod/1', leaseDurationSeconds: 15 })
  const older = candidate('pod-uid/1').start()
  await world.advance(1_000)
  store.put({ holderIdentity: 'pod-uid/2', leaseDurationSeconds: 15 })
  await world.advance(15_000)
  expect(older.lease.held()).toBe(false)
  await world.advance(2_000)
  expect(older.lease.held()).toBe(true)
})

it('knows what stood in the lease that it took: whose it was, and when that one renewed it last', async () => {
  const { world, store, candidate } = setting()
  const a = candidate('a').start()
  await world.advance(0)
  expect(a.lease.predecessor()).toBeUndefined()
  a.end()
  await world.advance(1_000)
  const b = candidate('b').start()
  await world.advance(0)
  expect(b.lease.predecessor()).toEqual({ holder: '', renewedAt: Date.UTC(2026, 0, 1), ledForMs: 0 })
  b.clock.stop()
  const c = candidate('c')
  c.fates.push({ thereMs: 0, backMs: 0 })
  c.start()
  await world.advance(14_000)
  expect(c.lease.predecessor()).toBeUndefined()
  // The first write of c is done and its answer lost: what it found is what stood there before.
  c.fates.push(...Array.from({ length: 1 }, () => ({ thereMs: 0, backMs: 0, fault: 'answer' as const })))
  await world.advance(20_000)
  expect(store.spec?.holderIdentity).toBe('c')
  expect(c.lease.predecessor()).toEqual({ holder: 'b', renewedAt: Date.UTC(2026, 0, 1, 0, 0, 1), ledForMs: 0 })
})

it('gives the lease back when it is asked to end, and holds it no more from the moment it does so', async () => {
  const { world, store, candidate } = setting()
  const a = candidate('a').start()
  await world.advance(1_000)
  const b = candidate('b').start()
  await world.advance(1_000)
  a.fates.push({ thereMs: 0, backMs: 0 }, { thereMs: 500, backMs: 300 })
  a.end()
  await world.advance(0)
  expect(a.lease.held()).toBe(false)
  expect(store.spec?.holderIdentity).toBe('a')
  await world.advance(800)
  expect(a.ended).toBe('stopped')
  expect(store.spec).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 })
  await world.advance(2_000)
  expect(b.lease.held()).toBe(true)
  expect(store.spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 })
})

it('gives back what it had asked for and never got the answer to', async () => {
  const { world, store, candidate } = setting()
  const a = candidate('a')
  a.fates.push({ thereMs: 0, backMs: 0 }, { thereMs: 0, backMs: 0, fault: 'answer' })
  a.start()
  await world.advance(1_000)
  expect(store.spec?.holderIdentity).toBe('a')
  expect(a.lease.held()).toBe(false)
  a.end()
  await world.advance(0)
  expect(store.spec?.holderIdentity).toBe('')
})

it('ends by itself when the API server is away for 10 s, and has stopped counting on the lease by then', async () => {
  const { world, candidate } = setting()
  const a = candidate('a').start()
  await world.advance(2_000)
  a.fates.push(...Array.from({ length: 20 }, () => ({ thereMs: 0, backMs: 0, fault: 'request' as const })))
  await world.advance(9_999)
  expect(a.lease.held()).toBe(true)
  expect(a.ended).toBeUndefined()
  await world.advance(1)
  expect(a.lease.held()).toBe(false)
  expect(a.lease.lost()).toBe(true)
  expect(a.ended).toBeInstanceOf(LeaseLost)
  expect(String(a.ended)).toMatch(/lease ns\/l could not be renewed for 10 s, so another replica may take over/)
  expect(world.pending).toBe(0)
})

it('lives through an outage that is shorter, and says once that it tries again', async () => {
  const { world, candidate } = setting()
  const a = candidate('a').start()
  await world.advance(2_000)
  a.fates.push(...Array.from({ length: 3 }, () => ({ thereMs: 0, backMs: 0, fault: 'refused' as const })))
  await world.advance(60_000)
  expect(a.lease.held()).toBe(true)
  expect(a.ended).toBeUndefined()
  expect(a.log.lines.filter((line) => line.includes('"level":"warn"'))).toHaveLength(1)
})

it('waits as long as the API server asks, but tries once more before the deadline', async () => {
  const { world, candidate } = setting()
  const a = candidate('a').start()
  await world.advance(2_000)
  const since = world.monotonic()
  const refused = { thereMs: 0, backMs: 0, fault: 'refused' as const }
  a.fates.push({ ...refused, retryAfterMs: 4_500 }, { ...refused, retryAfterMs: 60_000 })
  await world.advance(12_000)
  const asked = a.asked.filter((at) => at > since).map((at) => at - since)
  expect(asked.slice(0, 3)).toEqual([2_000, 6_500, 8_500])
  expect(a.lease.held()).toBe(true)
})

it('knows as soon as it wakes that it was stopped for too long, even when an answer waits for it', async () => {
  const { world, store, candidate } = setting()
  const a = candidate('a').start()
  const b = candidate('b').start()
  await world.advance(1_000)
  a.fates.push({ thereMs: 100, backMs: 200 })
  await world.advance(1_150)
  a.clock.stop()
  await world.advance(60_000)
  expect(b.lease.held()).toBe(true)
  expect(a.lease.held()).toBe(false)
  a.clock.resume()
  expect(a.lease.held()).toBe(false)
  await world.advance(0)
  expect(a.lease.held()).toBe(false)
  expect(a.ended).toBeInstanceOf(LeaseLost)
  expect(store.spec?.holderIdentity).toBe('b')
})

it('says nothing to people when another was quicker', async () => {
  const { world, candidate } = setting()
  const a = candidate('a').start()
  const b = candidate('b').start()
  await world.advance(1_000)
  expect([a.lease.held(), b.lease.held()]).toEqual([true, false])
  expect(b.log.lines.filter((line) => line.includes('"level":"warn"'))).toEqual([])
})

it('ends when it reads that another holds the lease, without waiting for its own deadline', async () => {
  const { world, store, candidate } = setting()
  const a = candidate('a').start()
  await world.advance(1_000)
  store.put({ holderIdentity: 'b', leaseDurationSeconds: 15 })
  await world.advance(1_000)
  expect(a.lease.held()).toBe(false)
  expect(String(a.ended)).toMatch(/is held by b; this replica ends/)
  expect(store.spec?.holderIdentity).toBe('b')
})

it('makes the lease again when somebody deletes it; one that waited for it goes on waiting', async () => {
  const { world, store, candidate } = setting()
  const a = candidate('a').start()
  await world.advance(1_000)
  const b = candidate('b').start()
  await world.advance(900)
  a.fates.push({ thereMs: 4_000, backMs: 0 })
  store.delete()
  await world.advance(4_000)
  expect(store.spec).toBeUndefined()
  expect(b.lease.held()).toBe(false)
  await world.advance(4_000)
  expect(b.lease.held()).toBe(false)
  expect(a.lease.held()).toBe(true)
  expect(store.spec?.holderIdentity).toBe('a')
})
