import { expect, it } from 'vitest'
import { writeAttempt } from '../../api/attempt.ts'
import type { InfraMachine } from '../../api/machine.ts'
import { ownGroups } from '../../api/rules/capacity/what-closes.ts'
import type { CloudName } from '../../api/scope.ts'
import { askedOf } from './group-names.ts'
import { takenBack } from './taken-back.ts'

const at = Date.UTC(2026, 0, 1)
const lastTransitionTime = '2026-01-01T00:00:00Z'
const offering = { capacityType: 'Spot', instanceType: 'm5.large', zone: 'us-east-1a' } as const

function machine(cloud: CloudName, condition: object): InfraMachine {
  const scope = { cloud, identity: 'default', region: 'us-east-1' }
  const attempt = { for: 'default/m1', owner: 'o', n: 1, token: 't', scope, startedAt: lastTransitionTime }
  const annotations = writeAttempt({ ...attempt, offering: 'Spot:m5.large:us-east-1a' } as never)
  const status = { conditions: [{ lastTransitionTime, ...condition }] }
  return { metadata: { namespace: 'default', name: 'm1', annotations }, spec: {}, status } as never
}

function groupOn(cloud: CloudName): string {
  const scope = { cloud, identity: 'default', region: 'us-east-1' }
  return ownGroups(askedOf({ scope, offering, infra: undefined })).offering
}

const announced = { type: 'InterruptionNotice', status: 'True', reason: 'Spot' }
const done = { type: 'Ready', status: 'False', reason: 'Interrupted' }

it.each([
  ['announced', announced],
  ['done', done],
])('an offering whose interruption is %s is avoided for five minutes, and on IBM for an hour', (_, condition) => {
  const minutes = 60_000
  const facts = takenBack([{ infra: machine('aws', condition) }, { infra: machine('ibm', condition) }], at)
  expect(facts.get(groupOn('aws'))).toEqual({ avoidedUntil: at + 5 * minutes })
  expect(facts.get(groupOn('ibm'))).toEqual({ avoidedUntil: at + 60 * minutes })
})

it.each([
  ['runs', { type: 'Ready', status: 'True', reason: 'Running' }],
  ['failed by itself', { type: 'Ready', status: 'False', reason: 'InstanceGone' }],
  ['is only recommended to be replaced', { ...announced, reason: 'Rebalance' }],
  ['had a notice that was taken back', { ...announced, status: 'False', reason: 'NoNotice' }],
])('a machine that %s makes nothing avoided', (_, condition) => {
  expect(takenBack([{ infra: machine('aws', condition) }, { infra: undefined }], at).size).toBe(0)
})

it('a time to come makes nothing avoided', () => {
  expect(takenBack([{ infra: machine('aws', done) }], at - 1).size).toBe(0)
})
