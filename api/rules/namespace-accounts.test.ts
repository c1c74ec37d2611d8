import { describe, expect, it } from 'vitest'
import type { Scope } from '../scope.ts'
import { accountObstacle } from './namespace-accounts.ts'

const accounts = new Map([
  ['team-a', ['aws/111122223333', 'gcp/*']],
  ['nobody', []],
])
const open = new Map([...accounts, ['*', ['aws/999988887777']]])

it('allows all where no operator has bound anything', () => {
  expect(accountObstacle('team-a', { cloud: 'aws', account: '1' }, undefined)).toBeUndefined()
})

describe('a namespace that is bound', () => {
  it('may use its own accounts, and every one of a cloud that is open to it', () => {
    expect(accountObstacle('team-a', { cloud: 'aws', account: '111122223333' }, accounts)).toBeUndefined()
    expect(accountObstacle('team-a', { cloud: 'gcp', account: 'any' }, accounts)).toBeUndefined()
    expect(accountObstacle('team-a', { cloud: 'gcp' }, accounts)).toBeUndefined()
  })

  it.each<[Pick<Scope, 'cloud' | 'account'>, string]>([
    [{ cloud: 'aws', account: '999988887777' }, 'not aws/999988887777'],
    [{ cloud: 'azure', account: '111122223333' }, 'not azure/111122223333'],
    [{ cloud: 'aws' }, 'not aws with an unknown account'],
  ])('may use no other: %o', (place, says) => {
    expect(accountObstacle('team-a', place, accounts)).toContain(
      `Namespace team-a may use aws/111122223333, gcp/*, ${says}`,
    )
    expect(accountObstacle('team-a', place, open), 'what is for all others').toContain(says)
  })
})

it('a namespace that is not named may use what * may, and nothing where that is not named either', () => {
  expect(accountObstacle('team-b', { cloud: 'aws', account: '999988887777' }, open)).toBeUndefined()
  expect(accountObstacle('team-b', { cloud: 'aws', account: '999988887777' }, accounts)).toContain('may use no account')
  expect(accountObstacle('nobody', { cloud: 'aws', account: '999988887777' }, open)).toContain('may use no account')
})
