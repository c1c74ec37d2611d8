import { expect, it } from 'vitest'
import type { Attempt } from '../attempt.ts'
import type { Scope } from '../scope.ts'
import { misfitOf } from './attempt-fit.ts'

const scope = {
  cloud: 'azure',
  identity: 'default',
  account: 'one',
  region: 'westeurope',
  within: 'Workers',
} as const satisfies Scope
const patterns = {
  region: /^[a-z]+$/,
  account: /^[a-z]+$/,
  within: /^\w+$/,
  zone: /^[1-9]$/,
  subnet: /^\w+$/,
  handle: /^\w+$/,
}
const home: { scope: Scope; name: string } = { scope, name: 'AzureCluster c1' }
const attempt = (change: Partial<Attempt> = {}): Attempt => ({
  for: 'default/m1',
  owner: 'owner-1',
  n: 1,
  token: 'token-1',
  scope,
  at: { subnet: 'nodes', zone: '' },
  startedAt: '2026-01-01T00:00:00Z',
  ...change,
})
const judge = (change: Partial<Attempt>, ...[at]: [at?: typeof home | 'gone']) =>
  misfitOf(attempt(change), { cloud: 'azure', patterns, home: at === 'gone' ? undefined : (at ?? home) })

it('fits where it was written for this infrastructure cluster', () => {
  expect(judge({ handle: 'x', exclude: ['other'] })).toBeUndefined()
  const choice = { rung: 0, capacityType: 'Spot', instanceType: 'D2', zone: '1', subnet: 'nodes' } as const
  expect(judge({ choice: { ...choice, zone: '' } })).toBeUndefined()
  expect(judge({ choice })).toBeUndefined()
  expect(judge({ choice: { ...choice, zone: '../2' } })).toContain('choice.zone is not a valid name')
  expect(judge({ choice: { ...choice, subnet: 'a/b' } })).toContain('choice.subnet is not a valid name')
})

it.each([
  ['account', { ...scope, account: 'two' }, 'scope.account is two, but AzureCluster c1 has one.'],
  ['region', { ...scope, region: 'northeurope' }, 'scope.region is northeurope, but AzureCluster c1 has westeurope.'],
  ['part', { ...scope, within: 'others' }, 'scope.within is others, but AzureCluster c1 has Workers.'],
])('does not fit in another %s', (_, other, says) => {
  expect(judge({ scope: other })).toContain(says)
})

it('lacks a part that the infrastructure cluster names', () => {
  const { within: _, ...partless } = scope
  expect(judge({ scope: partless })).toContain('scope.within is missing')
})

it('fits where one of the two does not know the account yet', () => {
  const { account: _, ...unknown } = scope
  expect(judge({ scope: unknown })).toBeUndefined()
  expect(judge({}, { ...home, scope: unknown })).toBeUndefined()
})

it('fits where only the case of the resource group differs, which Azure takes for the same', () => {
  expect(judge({ scope: { ...scope, within: 'workers' } })).toBeUndefined()
})

it('counts by itself when the infrastructure cluster is gone, as far as it is well spelt', () => {
  expect(judge({ scope: { ...scope, region: 'northeurope' } }, 'gone')).toBe(undefined)
  expect(judge({ scope: { ...scope, region: 'a/b' } }, 'gone')).toContain('scope.region is not a valid name')
})
