import { describe, expect, it } from 'vitest'
import type { InterruptionPolicy, InterruptionPolicySpec } from '../generated/interruption-policy.ts'
import { byAge, isManaged, overlapOf, policyFor, termsOf, wantsHealthCheck } from './policy.ts'

function policy(name: string, created: string, spec: Partial<InterruptionPolicySpec> = {}): InterruptionPolicy {
  const metadata = { namespace: 'default', name, creationTimestamp: created }
  return {
    apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
    kind: 'InterruptionPolicy',
    metadata,
    spec: { clusterName: 'c1', ...spec },
  }
}

const machine = (name: string, labels: Record<string, string> = {}) => ({
  metadata: { namespace: 'default', name, labels },
})
const gpu = { selector: { matchLabels: { pool: 'gpu' } } }

it('without a policy the defaults hold', () => {
  expect(termsOf()).toMatchObject({
    initialMs: 30_000,
    maxMs: 1_800_000,
    minHealthyMs: 600_000,
    nodeStartupMs: 600_000,
  })
})

describe('of two policies that select one machine', () => {
  const [older, younger] = [policy('z', '2026-01-01T00:00:00Z'), policy('a', '2026-01-02T00:00:00Z', gpu)]
  const policies = byAge([younger, older])

  it('the older wins, and of two of one second the first by name', () => {
    expect(policyFor(machine('m', { pool: 'gpu' }), policies)).toBe(older)
    expect(byAge([policy('b', 't'), policy('a', 't')]).map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
  })

  it('the younger says so, and only where there is such a machine', () => {
    expect(overlapOf(younger, policies, [machine('m1'), machine('m2', { pool: 'gpu' })])).toEqual({
      machine: 'm2',
      older: 'z',
    })
    expect(overlapOf(younger, policies, [machine('m1')])).toBeUndefined()
    expect(overlapOf(older, policies, [machine('m2', { pool: 'gpu' })])).toBeUndefined()
  })
})

it.each([
  ['nobody says anything', [], true],
  ['one says None for all', [policy('a', 't', { healthCheck: 'None' })], false],
  ['one says None for some', [policy('a', 't', { ...gpu, healthCheck: 'None' })], true],
  ['an older one says None for all', [policy('a', 't', { healthCheck: 'None' }), policy('b', 't', gpu)], false],
  ['an older one says Managed for some', [policy('a', 't', gpu), policy('b', 't', { healthCheck: 'None' })], true],
] as const)('a health check of ours: %s', (_, policies, wanted) => {
  expect(wantsHealthCheck([machine('m', { pool: 'gpu' })], policies)).toBe(wanted)
})

it('whose health check removes a Machine is what its own policy says', () => {
  const policies = [policy('a', 't', { ...gpu, healthCheck: 'None' })]
  expect(isManaged(machine('m', { pool: 'gpu' }), policies)).toBe(false)
  expect(isManaged(machine('m'), policies)).toBe(true)
})
