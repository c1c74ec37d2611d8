import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mutate, mutation } from '../test/contract/mutation.ts'
import { longestStallMs, ownTimeOf } from '../test/support/own-time.ts'
import { readAttempt, writeAttempt, type Attempt } from './attempt.ts'
import { annotations } from './labels.ts'
import { offeringKey } from './offering.ts'
import type { Tried } from './rules/capacity/tried.ts'

const attempt: Attempt = {
  for: 'default/m1',
  owner: 'owner-1',
  n: 1,
  token: 'token-1',
  scope: { cloud: 'aws', identity: 'default', region: 'us-east-1' },
  at: { subnet: 'subnet-1', zone: '' },
  startedAt: '2026-01-01T00:00:00Z',
}

const machineWith = (text?: string) => ({
  metadata: {
    namespace: 'default',
    name: 'm1',
    ...(text === undefined ? {} : { annotations: { [annotations.attempt]: text } }),
  },
})

it('reads what was written', () => {
  const { [annotations.attempt]: text } = writeAttempt({ ...attempt, handle: 'i-1' })
  expect(readAttempt(machineWith(text), 'owner-1')).toEqual({ is: 'ours', attempt: { ...attempt, handle: 'i-1' } })
})

it('is read with fields of other versions', () => {
  const text = JSON.stringify({ ...attempt, rung: 0, request: 'digest', later: { than: 'us' } })
  expect(readAttempt(machineWith(text), 'owner-1')).toMatchObject({ is: 'ours', attempt })
})

it('nothing there is nothing', () => {
  expect(readAttempt(machineWith(), 'owner-1')).toEqual({ is: 'none' })
})

it('a copy for another machine, or of another Cluster’s owner, is foreign', () => {
  const text = (change: object) => JSON.stringify({ ...attempt, ...change })
  expect(readAttempt(machineWith(text({ for: 'default/m2' })), 'owner-1').is).toBe('foreign')
  expect(readAttempt(machineWith(text({ owner: 'owner-2' })), 'owner-1').is).toBe('foreign')
})

it('is ours by its name alone when the Cluster is gone: its delete must go on', () => {
  expect(readAttempt(machineWith(JSON.stringify(attempt)), undefined).is).toBe('ours')
})

it('is foreign if it is longer than any attempt, or names unknown credentials', () => {
  const full = Array.from({ length: 100 }, (_, nth) => `subnet-${String(nth).padStart(17, '0')}`)
  expect(readAttempt(machineWith(JSON.stringify({ ...attempt, exclude: full })), 'owner-1').is).toBe('ours')
  const padded = JSON.stringify({ ...attempt, note: 'x'.repeat(16_384) })
  expect(readAttempt(machineWith(padded), 'owner-1')).toMatchObject({
    is: 'foreign',
    why: expect.stringContaining('too many for a launch attempt') as string,
  })
  const invented = JSON.stringify({ ...attempt, scope: { ...attempt.scope, identity: 'id1' } })
  expect(readAttempt(machineWith(invented), 'owner-1').is).toBe('foreign')
})

it('whatever stands there, it is read without a throw, and never as ours unless it is whole', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), broken()), (text) => {
      expect(readAttempt(machineWith(text), 'owner-1').is).toBe('foreign')
    }),
  )
})

const choice = {
  rung: 1,
  capacityType: 'Spot',
  instanceType: 'm5.large',
  zone: 'us-east-1a',
  subnet: 'subnet-1',
} as const
const once: Tried = {
  offering: offeringKey(choice),
  rung: 0,
  kind: 'capacity',
  code: 'None',
  at: '2026-01-01T00:00:00Z',
}
const walked: Partial<Attempt> = {
  choice,
  tried: [once],
  triedCount: 17,
  firstRefusedAt: once.at,
  invalid: [0, 2],
  left: ['abcdefabcdef'],
}

const notThese = [null, '', -1, {}, true, 'x']
const notChosen = [
  { ...choice, rung: 9 },
  { ...choice, rung: -1 },
  { ...choice, capacityType: 'Free' },
  { ...choice, capacityType: 'constructor' },
  { ...choice, instanceType: '' },
  { ...choice, instanceType: 'a:b' },
  { ...choice, zone: 7 },
  { ...choice, subnet: '' },
  { ...choice, constraints: 7 },
  { ...choice, reservation: '' },
  [choice],
]
const notTried = [
  [null],
  [{ ...once, offering: 'Spot' }],
  [{ ...once, rung: 'x' }],
  [{ ...once, at: 'yesterday' }],
  [{ ...once, code: 'x'.repeat(300) }],
  Array.from({ length: 17 }, () => once),
]

it('keeps what was chosen and what was tried', () => {
  const { [annotations.attempt]: text } = writeAttempt({ ...attempt, ...walked })
  expect(readAttempt(machineWith(text), 'owner-1')).toEqual({ is: 'ours', attempt: { ...attempt, ...walked } })
})

it('of a newer version with kinds of refusal that this one lacks says that the cloud gave no cause', () => {
  const newer = {
    ...attempt,
    tried: [{ ...once, kind: 'eclipse' }],
    refused: { kind: 'eclipse', code: 'E', message: '' },
  }
  const reading = readAttempt(machineWith(JSON.stringify(newer)), 'owner-1')
  expect(reading).toMatchObject({ attempt: { tried: [{ kind: 'transient' }], refused: { kind: 'transient' } } })
})

/** A real attempt with one field missing or of another type. */
function broken(): fc.Arbitrary<string> {
  const required = fc.constantFrom('for', 'owner', 'n', 'token', 'scope', 'startedAt')
  const wrong = [null, '', -1, 1.5, [], {}, true]
  return fc
    .oneof(
      fc.tuple(required, fc.constantFrom(undefined, ...wrong)),
      fc.tuple(
        fc.constantFrom('choice', 'tried', 'triedCount', 'firstRefusedAt', 'left'),
        fc.constantFrom(...notThese),
      ),
      fc.tuple(fc.constant('choice'), fc.constantFrom(...notChosen)),
      fc.tuple(fc.constant('tried'), fc.constantFrom(...notTried)),
      fc.tuple(
        fc.constant('invalid'),
        fc.constantFrom(
          [-1],
          [9],
          [0.5],
          ['0'],
          Array.from({ length: 10 }, () => 0),
          {},
        ),
      ),
      fc.tuple(fc.constant('left'), fc.constantFrom(['a/b'], [''], ['a', 'b', 'c', 'd', 'e'], [1], 'a')),
      fc.tuple(fc.constant('refused'), fc.constantFrom({ kind: 'capacity', code: 'C', message: 'No.', at: 'soon' })),
      fc.tuple(fc.constant('at'), fc.constantFrom({ subnet: 'a' }, { zone: 'b' }, ...wrong)),
    )
    .map(([field, value]) => JSON.stringify({ ...attempt, [field]: value }))
}

it('a real attempt in which something was changed is read as whole or as foreign, and never slowly', async () => {
  const full = {
    ...attempt,
    ...walked,
    handle: 'i-1',
    exclude: ['a'],
    refused: { kind: 'capacity', code: 'C', message: 'No.' },
  }
  const changed = mutation.map((how) => mutate(JSON.stringify(full), how))
  await fc.assert(
    fc.asyncProperty(changed, async (text) => {
      const read = () => readAttempt(machineWith(text), 'owner-1')
      const reading = read()
      const tokens = reading.is === 'ours' ? [reading.attempt.token, reading.attempt.for, reading.attempt.owner] : []
      expect(tokens.every((one) => typeof one === 'string' && one !== '')).toBe(true)
      expect(await ownTimeOf(read)).toBeLessThan(longestStallMs)
    }),
    { numRuns: 300 },
  )
})

const chosen = { rung: 1, capacityType: 'Spot', instanceType: 'm5.large', zone: '', subnet: 'subnet-1' }
const aTry = { offering: 'Spot:m5.large:', rung: 0, kind: 'capacity', code: 'C', at: '2026-01-01T00:00:00Z' }
const tooLong = 'x'.repeat(1_025)
const times = (count: number) => Array.from({ length: count }, () => aTry)

it.each<[field: string, right: unknown, wrong: readonly unknown[]]>([
  ...(
    [
      ['rung', 8, [-1, 9, 0.5, '1', null]],
      ['capacityType', 'Reserved', ['spot', '', 'constructor', null, 1]],
      ['instanceType', 'a', ['', 'a:b', tooLong, null, 1]],
      ['zone', 'z', ['a:b', tooLong, null, 1]],
      ['subnet', 's', ['', tooLong, null, 1]],
      ['constraints', 'c', ['', tooLong, null, 1]],
      ['reservation', 'r', ['', tooLong, null, 1]],
    ] as const
  ).map(([name, right, wrong]): [string, unknown, readonly unknown[]] => [
    `choice ${name}`,
    { ...chosen, [name]: right },
    wrong.map((value) => ({ ...chosen, [name]: value })),
  ]),
  ['choice', chosen, ['', 1, [], [chosen], null, {}]],
  ['tried', times(16), [times(17), aTry, [null], [{ ...aTry, at: 'soon' }], [{ ...aTry, rung: -1 }]]],
  ['tried', [], [[{ ...aTry, offering: 'm5' }], [{ ...aTry, code: 1 }], [{ ...aTry, code: tooLong }]]],
  ['invalid', [0, 8], [[9], ['0'], 0]],
  ['left', ['a', 'b', 'c', 'd'], [['a', 'b', 'c', 'd', 'e'], ['A'], ['../a'], [''], 'a']],
  ['firstRefusedAt', aTry.at, ['soon', 1]],
  ['triedCount', 17, [-1, '1']],
])('garbage in %s makes it foreign', (field, right, wrong) => {
  const [name = ''] = field.split(' ')
  const read = (value: unknown) => readAttempt(machineWith(JSON.stringify({ ...attempt, [name]: value })), 'owner-1').is
  expect(read(right)).toBe('ours')
  expect(wrong.map(read)).toEqual(wrong.map(() => 'foreign'))
})
