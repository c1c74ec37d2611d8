import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { InfraMachine } from '../../machine.ts'
import { isMortal, lifetimeOf, type LifetimeTerms } from './lifetime.ts'

const runningSince = Date.UTC(2026, 0, 1)
const hours = (h: number) => h * 60 * 60_000
const infraOf = (spec: object): InfraMachine => ({
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
  kind: 'GCPMachine',
  metadata: { namespace: 'default', name: 'm' },
  spec: spec as InfraMachine['spec'],
})
const usual = infraOf({})
const preemptible = infraOf({ preemptible: true })
const terms: LifetimeTerms = { maxLifetimeMs: undefined, minHealthyMs: hours(1) }
const of = (infra: InfraMachine, over: Partial<LifetimeTerms> = {}, key = 'default/m') =>
  lifetimeOf({ key, infra, runningSince, terms: { ...terms, ...over } })

const keys = fc.string({ minLength: 5, maxLength: 5 }).map((end) => `default/workers-x7k2p-${end}`)

it('has no end without a policy that says so', () => {
  expect(of(usual)).toBeUndefined()
  expect(isMortal(usual, terms)).toBe(false)
  expect(isMortal(undefined, { ...terms, maxLifetimeMs: 1 })).toBe(false)
})

it('of a preemptible instance ends between 21.5 and 23.5 hours, before GCE ends it after 24', () => {
  expect(isMortal(preemptible, terms)).toBe(true)
  fc.assert(
    fc.property(keys, (key) => {
      const { dueAt = 0, deadline } = of(preemptible, {}, key) ?? {}
      expect(dueAt).toBeGreaterThanOrEqual(runningSince + hours(21.5))
      expect(dueAt).toBeLessThanOrEqual(runningSince + hours(23.5))
      expect(deadline).toBe(runningSince + hours(24))
    }),
  )
})

it('of a policy ends in its last tenth, and GCE ends a preemptible instance all the same', () => {
  fc.assert(
    fc.property(keys, fc.integer({ min: hours(2), max: hours(20) }), (key, maxLifetimeMs) => {
      const { dueAt = 0, deadline } = of(usual, { maxLifetimeMs }, key) ?? {}
      expect(dueAt).toBeGreaterThanOrEqual(runningSince + 0.9 * maxLifetimeMs)
      expect(dueAt).toBeLessThanOrEqual(runningSince + maxLifetimeMs)
      expect(deadline).toBeUndefined()
      expect(of(preemptible, { maxLifetimeMs }, key)).toEqual({ dueAt, deadline: runningSince + hours(24) })
    }),
  )
})

it('is never shorter than minHealthySeconds', () => {
  expect(of(usual, { maxLifetimeMs: hours(1.01) })?.dueAt).toBeGreaterThanOrEqual(runningSince + hours(1))
})

it('of siblings ends at different times, and of one Machine always at the same', () => {
  const names = Array.from({ length: 100 }, (_, n) => `default/workers-x7k2p-${n.toString(36).padStart(5, 'a')}`)
  const due = names.map((key) => of(preemptible, {}, key)?.dueAt ?? 0)
  const quarters = Map.groupBy(due, (at) => Math.floor((at - runningSince - hours(21.5)) / hours(0.5)))
  expect(new Set(quarters.keys())).toEqual(new Set([0, 1, 2, 3]))
  for (const members of quarters.values()) expect(members.length).toBeGreaterThan(10)
  const byPolicy = names.map((key) => of(usual, { maxLifetimeMs: hours(10) }, key)?.dueAt ?? 0)
  expect(Math.max(...byPolicy) - Math.min(...byPolicy)).toBeGreaterThan(hours(0.8))
  expect(names.map((key) => of(preemptible, {}, key)?.dueAt)).toEqual(due)
})
