import { expect, it } from 'vitest'
import { annotations } from '../../../api/labels.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { Fleet } from '../../../providers/fleet/fleet.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import { FakeCloud, cloudOf, fakeScope } from '../../../test/support/fakes/fake-cloud.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import type { Pass } from '../pass.ts'
import { unprovenAbsenceOf } from './vanished.ts'

const names = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']

function serving(name: string): InfraMachine {
  const attempt = {
    for: `default/${name}`,
    owner: 'o',
    n: 1,
    token: name,
    scope: fakeScope,
    startedAt: 'x',
    handle: `i-${name}`,
  }
  return {
    metadata: { namespace: 'default', name, annotations: { [annotations.attempt]: JSON.stringify(attempt) } },
    spec: {},
    status: { initialization: { provisioned: true }, instanceState: 'running' },
  } as never
}

it('how many are missing is counted anew in each list, however soon it follows the one before', () => {
  const machines = names.map(serving)
  const missing = new Set(['i-m1'])
  let listedAt = 1
  const fleet = {
    scope: fakeScope,
    get listedAt() {
      return listedAt
    },
    lacks: ({ id }: { id: string }) => missing.has(id),
    waitedFor: () => 0,
  } as unknown as Fleet
  const ctx = quietCtx()
  const judge = (name: string) => {
    const infra = machines.find(({ metadata }) => metadata.name === name)
    const pass = { infra, cloud: cloudOf(new FakeCloud()), deps: { infraMachines: { list: () => machines } } }
    const tag = tagOf({ owner: 'o', machine: `default/${name}`, token: name })
    return unprovenAbsenceOf(pass as unknown as Pass, { which: { scope: fakeScope, tag, id: `i-${name}` }, fleet }, ctx)
  }
  expect(judge('m1')).toBeUndefined()
  // Credentials of another place, say: the list that confirms that the first is gone shows no other either.
  for (const name of names) missing.add(`i-${name}`)
  listedAt = 2
  expect(judge('m2')?.message).toContain('6 of 6')
})
