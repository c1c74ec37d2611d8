import { rfc3339, type Condition } from '../../../api/conditions.ts'
import type { InfraMachine, Machine } from '../../../api/machine.ts'
import { outcomeOf, type OutcomeFacts } from '../../../api/rules/outcome.ts'
import { termsOf } from '../../../api/rules/policy.ts'

export const now = Date.UTC(2026, 0, 1, 12)
export const secondsAgo = (s: number) => now - s * 1000
export const groups = { offering: 'offering', price: 'price', quota: 'quota', launch: 'launch', node: 'node' }
export const machine: Machine = { metadata: { namespace: 'default', name: 'm1' }, spec: { clusterName: 'c1' } }

export function condition(type: string, status: Condition['status'], reason: string, agoS: number): Condition {
  return { type, status, reason, message: '', lastTransitionTime: rfc3339(secondsAgo(agoS)) }
}

export function infra(conditions: Condition[], more: Partial<InfraMachine> = {}): InfraMachine {
  const metadata = { namespace: 'default', name: 'm1' }
  return { apiVersion: 'a', kind: 'AWSMachine', metadata, spec: {}, status: { conditions }, ...more }
}

/** Of a Machine whose infra machine has these conditions, and asked for its instance long ago. */
export function outcome(conditions: Condition[], over: Partial<OutcomeFacts> = {}) {
  const requestedAt = secondsAgo(2_000)
  return outcomeOf({
    machine,
    infra: infra(conditions),
    groups,
    requestedAt,
    terms: termsOf(),
    now,
    ...over,
  })
}
