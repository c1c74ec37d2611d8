import { expect } from 'vitest'
import type { InfraMachine } from '../../api/machine.ts'
import { changesTo, lastCall } from './changes.ts'
import { instanceOf, type CloudCluster } from './cloud-cluster.ts'
import { patiently } from './patiently.ts'

/** For a manager whose lists are counted: so long that what one has shown is written before the next one begins. */
export const countably = ['--poll-interval', '5s'] as const

/** An instance is about to end. */
export interface Ending {
  readonly of: InfraMachine | undefined
  /** Of the instance with this id. */
  readonly by: (id: string) => void
  readonly reason: RegExp
  /** How many lists of the cloud may begin after it, before the condition has it. */
  readonly lists: number
}

/** It ends, the manager says so in time, and does nothing about it. Answers with what it says. */
export async function endAndSee(one: CloudCluster, { of, by, reason, lists }: Ending): Promise<string> {
  const { cloud } = one
  const id = instanceOf(of)
  by(id)
  await patiently('it no longer runs', () => {
    expect(cloud.alive().find((instance) => instance.id === id)?.state ?? 'gone').not.toMatch(/^running$/i)
  })
  const since = lastCall(cloud)
  const said = { at: 0, message: '' }
  await one.isReady(of?.metadata.name ?? '', (ready) => {
    expect(ready).toMatchObject({ status: 'False', reason: expect.stringMatching(reason) as string })
    said.at = Date.parse(ready?.lastTransitionTime ?? '')
    said.message = ready?.message ?? ''
  })
  // The time of a condition has no fractions of a second.
  const before = cloud.control.requests().filter(({ number, at }) => number > since && at < said.at + 1_000)
  expect(before.filter(cloud.isList).length, 'lists until it was said').toBeLessThanOrEqual(lists)
  expect(changesTo([{ id, name: id }], cloud, since)).toEqual([])
  return said.message
}
