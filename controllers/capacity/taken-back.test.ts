import { expect, it } from 'vitest'
import { readAttempt, writeAttempt } from '../../api/attempt.ts'
import { annotations } from '../../api/labels.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { NoticeSource } from '../../api/notice.ts'
import { ownGroups } from '../../api/rules/capacity/what-closes.ts'
import type { CloudName } from '../../api/scope.ts'
import { decided } from '../../test/support/decided.ts'
import { askedOf } from './group-names.ts'
import { CapacityMemory, inClusterAlone } from './memory.ts'
import { factsShown, takenBack } from './taken-back.ts'

const at = Date.UTC(2026, 0, 1)
const lastTransitionTime = '2026-01-01T00:00:00Z'
const offering = { capacityType: 'Spot', instanceType: 'm5.large', zone: 'us-east-1a' } as const

function machine(cloud: CloudName, condition: object): InfraMachine {
  const scope = { cloud, identity: 'default', region: 'us-east-1' }
  const attempt = {
    for: 'default/m1',
    owner: 'o',
    n: 1,
    token: 't',
    scope,
    startedAt: lastTransitionTime,
    handle: 'i-1',
  }
  const noted = writeAttempt({ ...attempt, offering: 'Spot:m5.large:us-east-1a' } as never)
  const status = { conditions: [{ lastTransitionTime, ...condition }] }
  return { metadata: { namespace: 'default', name: 'm1', annotations: noted }, spec: {}, status } as never
}

function groupOn(cloud: CloudName): string {
  const scope = { cloud, identity: 'default', region: 'us-east-1' }
  return ownGroups(askedOf({ scope, offering, infra: undefined })).offering
}

function notedOn(infra: InfraMachine, source: NoticeSource | undefined) {
  const noted = source ? { [annotations.interruption]: JSON.stringify({ ...decided, source }) } : {}
  return { machine: { metadata: { namespace: 'default', name: 'm1', annotations: noted } } as Machine, infra }
}

const now = (time = at) => ({ cluster: 'default/c1', now: time })
const announced = { type: 'InterruptionNotice', status: 'True', reason: 'Spot' }
const done = { type: 'Ready', status: 'False', reason: 'Interrupted' }

it.each([
  ['announced', announced],
  ['done', done],
])('an offering whose interruption is %s is avoided for five minutes, and on IBM for an hour', (_, condition) => {
  const minutes = 60_000
  const machines = (['aws', 'ibm'] as const).map((cloud) => notedOn(machine(cloud, condition), 'Queue'))
  const facts = takenBack(machines, now())
  expect(facts.get(groupOn('aws'))).toEqual({ avoidedUntil: at + 5 * minutes })
  expect(facts.get(groupOn('ibm'))).toEqual({ avoidedUntil: at + 60 * minutes })
})

it.each([
  ['runs', { type: 'Ready', status: 'True', reason: 'Running' }],
  ['failed by itself', { type: 'Ready', status: 'False', reason: 'InstanceGone' }],
  ['is only recommended to be replaced', { ...announced, reason: 'Rebalance' }],
  ['had a notice that was taken back', { ...announced, status: 'False', reason: 'NoNotice' }],
])('a machine that %s makes nothing avoided', (_, condition) => {
  expect(takenBack([{ infra: machine('aws', condition) }, { infra: undefined }], now()).size).toBe(0)
})

it('a time to come makes nothing avoided', () => {
  expect(takenBack([{ infra: machine('aws', done) }], now(at - 1)).size).toBe(0)
})

it.each(['Node', 'Agent', undefined] as const)('what a %s announces is avoided by its own Cluster alone', (source) => {
  const own = inClusterAlone('default/c1', groupOn('aws'))
  const on = (condition: object) => takenBack([notedOn(machine('aws', condition), source)], now())
  expect([...on(announced).keys()]).toEqual([own])
  expect([...on(done).keys()], 'the cloud shows it').toEqual([groupOn('aws')])
})

it.each([
  ['Node', undefined],
  ['Queue', 'default/c2'],
] as const)('a failure that a %s announced shuts its offering in its own Cluster, and in %s', (source, other) => {
  const memory = new CapacityMemory(() => {})
  const group = groupOn('aws')
  const infra = machine('aws', announced)
  const reading = readAttempt(infra)
  const attempt = reading.is === 'ours' ? reading.attempt : undefined
  const outcome = { is: 'failed', group, at, cameUp: true, reason: 'InterruptionNotice', requestedAt: at - 1 } as const
  memory.record(factsShown([{ ...notedOn(infra, source), attempt, outcome }], 'default/c1'), now())
  memory.record(new Map(), { cluster: 'default/c2', now: at })
  const isShut = (cluster: string) => memory.shutUntil(cluster, [group], 60_000) === at + 60_000
  expect(isShut('default/c1')).toBe(true)
  expect(isShut('default/c2')).toBe(other !== undefined)
})
