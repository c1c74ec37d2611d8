import { expect, it } from 'vitest'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { unlessConnected, unlessHeld, writeGate } from './write-gate.ts'

const cache = (synced: boolean, connected: boolean) => ({ hasSynced: () => synced, connected: () => connected })

it('is open while nothing objects, and tells the first objection', () => {
  const objections = { lease: undefined as string | undefined, server: undefined as string | undefined }
  const gate = writeGate([() => objections.lease, () => objections.server], () => Promise.resolve())
  expect(gate.closed()).toBeUndefined()
  objections.server = 'no answer'
  expect(gate.closed()).toBe('no answer')
  objections.lease = 'not ours'
  expect(gate.closed()).toBe('not ours')
})

it('asks the API server before it says that it is proven open, and not where it is closed anyway', async () => {
  const state = { closed: undefined as string | undefined, asked: 0 }
  const prove = async () => {
    state.asked++
    if (state.asked === 2) state.closed = 'no answer'
  }
  const gate = writeGate([() => state.closed], prove)
  expect(await gate.proven(quietCtx())).toBeUndefined()
  expect(await gate.proven(quietCtx())).toBe('no answer')
  expect(await gate.proven(quietCtx())).toBe('no answer')
  expect(state.asked).toBe(2)
})

it('objects to every cache that is not whole or not up to date', () => {
  const machines = { kind: 'Machine', cache: cache(true, true) }
  expect(unlessConnected([machines])()).toBeUndefined()
  expect(unlessConnected([machines, { kind: 'AWSMachine', cache: cache(false, true) }])()).toMatch(/AWSMachine.*listed/)
  expect(unlessConnected([machines, { kind: 'Cluster', cache: cache(true, false) }])()).toMatch(/Changes of Cluster/)
})

it('looks at the caches that there are when it is asked', () => {
  const caches = [{ kind: 'Machine', cache: cache(true, true) }]
  const objection = unlessConnected(caches)
  caches.push({ kind: 'Late', cache: cache(false, false) })
  expect(objection()).toMatch(/Late/)
})

it('objects to a lease that is not held', () => {
  expect(unlessHeld({ held: () => true })()).toBeUndefined()
  expect(unlessHeld({ held: () => false })()).toMatch(/another replica may be at work/)
})
