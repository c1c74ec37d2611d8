import { expect, test } from 'vitest'
import type { RecordedRequest } from '../http/journal.ts'
import { Faults } from './faults.ts'

const create: RecordedRequest = {
  number: 1,
  action: 'Create',
  params: { token: 'a' },
  at: 0,
  origin: 'http://127.0.0.1:1',
  answer: undefined,
  lost: false,
}

test('a hold with its repeats also takes the same call of the same caller, until it ends', async () => {
  const faults = new Faults()
  const hold = faults.hold('Create', 'before', { repeats: true })
  const verdicts: string[] = []
  const pass = async (who: string, request: RecordedRequest) => {
    verdicts.push(`${who} ${await faults.pass(request, 'before')}`)
  }
  const held = [pass('first', create), pass('again', { ...create, number: 2 })]
  await pass('another machine', { ...create, params: { token: 'b' } })
  await pass('another caller', { ...create, origin: 'http://localhost:1' })
  expect(verdicts).toEqual(['another machine go', 'another caller go'])
  hold.drop()
  await Promise.all(held)
  expect(verdicts.slice(2).toSorted()).toEqual(['again drop', 'first drop'])
  expect(await faults.pass(create, 'before')).toBe('go')
})

test('a hold without them takes one call', async () => {
  const faults = new Faults()
  faults.hold('Create', 'before')
  void faults.pass(create, 'before')
  expect(await faults.pass({ ...create, number: 2 }, 'before')).toBe('go')
})
