import { readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { permissions } from '../wire/permissions.ts'
import { isKnownEvent, readEvent } from './event-bridge.ts'

interface Pattern {
  readonly source: readonly string[]
  readonly 'detail-type': readonly string[]
  readonly detail?: Readonly<Record<string, readonly string[]>>
}
interface Statement {
  readonly Sid: string
  readonly Effect: string
  readonly Action: string | readonly string[]
  readonly Condition: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
interface AwsResource {
  readonly Type: string
  readonly Properties: {
    readonly EventPattern: Pattern
    readonly Targets: unknown
    readonly PolicyDocument: { readonly Statement: readonly Statement[] }
  }
}

const file = (name: string) => readFileSync(new URL(`../../../config/aws/${name}`, import.meta.url), 'utf8')
const { Resources } = load(file('interruption-queue.yaml')) as { Resources: Readonly<Record<string, AwsResource>> }
const rules = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::Events::Rule')
const queueArn = { 'Fn::GetAtt': ['Queue', 'Arn'] }
const now = Date.UTC(2026, 0, 1)
const id = 'i-0123456789abcdef0'

/** The events that a pattern lets through: one for each of its words. */
function eventsOf({ source, 'detail-type': types, detail = {} }: Pattern): object[] {
  const usual = { 'instance-id': id, affectedEntities: [{ entityValue: id }] }
  const details = Object.entries(detail).reduce<object[]>(
    (all, [field, words]) => all.flatMap((one) => words.map((word) => ({ ...one, [field]: word }))),
    [usual],
  )
  const common = { account: '123456789012', region: 'us-east-1', time: '2026-01-01T00:00:00Z' }
  return source.flatMap((from) =>
    types.flatMap((type) => details.map((own) => ({ ...common, source: from, 'detail-type': type, detail: own }))),
  )
}

describe('the rules of EventBridge in config/aws', () => {
  it.each(rules)('%s asks only for events that have an effect, and sends them to the queue', (_, { Properties }) => {
    const { EventPattern: pattern, Targets } = Properties
    for (const source of pattern.source) {
      for (const type of pattern['detail-type']) expect(isKnownEvent(source, type)).toBe(true)
    }
    const events = eventsOf(pattern)
    expect(events).not.toEqual([])
    for (const event of events) {
      const reading = readEvent(JSON.stringify(event), now)
      expect(reading.is === 'event' && reading.notices.length + reading.changed.length).toBe(1)
    }
    expect(Targets).toEqual([{ Id: 'Queue', Arn: queueArn }])
  })

  it('ask for each kind of notice, and for the ends of instances', () => {
    const readings = rules
      .flatMap(([, { Properties }]) => eventsOf(Properties.EventPattern))
      .map((event) => readEvent(JSON.stringify(event), now))
      .flatMap((reading) => (reading.is === 'event' ? [reading] : []))
    const kinds = readings.flatMap(({ notices }) => notices.map(({ kind }) => kind))
    expect(new Set(kinds)).toEqual(new Set(['Spot', 'Rebalance', 'CapacityEnding', 'Maintenance']))
    expect(readings.flatMap(({ changed }) => changed)).toHaveLength(4)
  })
})

describe('the queue in config/aws', () => {
  const statements = Resources['QueuePolicy']?.Properties.PolicyDocument.Statement ?? []

  it('takes messages of these rules only', () => {
    const allowed = statements.filter(({ Effect }) => Effect === 'Allow')
    expect(allowed).toEqual([
      expect.objectContaining({
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: queueArn,
        Condition: { ArnEquals: { 'aws:SourceArn': rules.map(([name]) => ({ 'Fn::GetAtt': [name, 'Arn'] })) } },
      }),
    ])
  })

  it('takes no call without TLS', () => {
    expect(statements.find(({ Effect }) => Effect === 'Deny')).toMatchObject({
      Principal: '*',
      Action: 'sqs:*',
      Resource: queueArn,
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    })
  })

  it('keeps messages for five minutes, encrypted', () => {
    expect(Resources['Queue']?.Properties).toMatchObject({ MessageRetentionPeriod: 300, SqsManagedSseEnabled: true })
  })

  it('the policy of the manager allows what the documentation asks for, and nothing else', () => {
    const { Statement: own } = JSON.parse(file('manager-policy.json')) as { Statement: readonly Statement[] }
    const documented = permissions.besides?.find(({ when }) => when.includes('--aws-interruption-queues'))
    expect(own.flatMap(({ Action }) => Action)).toEqual(documented?.needs)
  })
})
