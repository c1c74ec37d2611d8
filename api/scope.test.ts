import { expect, it } from 'vitest'
import { pollKey, scopeKey, type CloudName, type Scope } from './scope.ts'

const inAccount = (cloud: CloudName, account?: string): Scope => ({
  cloud,
  identity: 'default',
  region: 'here',
  ...(account === undefined ? {} : { account }),
})

it.each(['aws', 'ibm'] as const)('%s: an account that is learnt has the poller and the limits that it had', (cloud) => {
  expect(pollKey(inAccount(cloud, 'one'))).toBe(pollKey(inAccount(cloud)))
  expect(scopeKey(inAccount(cloud, 'one'))).not.toBe(scopeKey(inAccount(cloud, 'two')))
})

it.each(['azure', 'gcp'] as const)(
  '%s: accounts stand in the address, so each is polled and limited alone',
  (cloud) => {
    expect(pollKey(inAccount(cloud, 'one'))).not.toBe(pollKey(inAccount(cloud, 'two')))
  },
)

it('another identity or region is another place', () => {
  const scope = inAccount('aws')
  for (const other of [
    { ...scope, identity: 'other' },
    { ...scope, region: 'there' },
  ])
    expect(pollKey(other)).not.toBe(pollKey(scope))
})
