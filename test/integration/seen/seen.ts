import { expect } from 'vitest'
import type { InfraMachine } from '../../../api/machine.ts'
import { changesTo, lastCall } from './changes.ts'
import { instanceOf, type CloudCluster } from '../rigs/cloud-cluster.ts'
import { patiently } from './patiently.ts'

/** Options of a manager whose lists a test counts: polls far enough apart to handle each before the next. */
export const countably = ['--poll-interval', '5s'] as const

/** One end of an instance, and the condition that follows. */
export interface Ending {
  readonly of: InfraMachine | undefined
  /** Of the instance with this id. */
  readonly by: (id: string) => void
  readonly reason: RegExp
  /** The largest number of lists between its end and the condition. */
  readonly lists: number
}

/** Ends the instance. The manager reports it in time, and does nothing else. Returns the message. */
export async function endAndSee(one: CloudCluster, { of, by, reason, lists }: Ending): Promise<string> {
  const { cloud } = one
  const id = instanceOf(of)
  by(id)
  await patiently('it no longer runs', () => {
    expect(cloud.alive().find((instance) => instance.id === id)?.state ?? 'gone').not.toMatch(/^running$/i)
  })
  const since = lastCall(cloud)
  const said = { at: 0, before: 0, message: '' }
  const { clock } = one.lab.ctx
  await one.isReady(of?.metadata.name ?? '', (ready) => {
    expect(ready).toMatchObject({ status: 'False', reason: expect.stringMatching(reason) as string })
    said.at = Date.parse(ready?.lastTransitionTime ?? '')
    said.before = clock.now()
    said.message = ready?.message ?? ''
  })
  // The time of a condition has no fractions of a second, and other times may.
  const writtenBy = Math.min(said.at + 1_000, said.before)
  const before = cloud.control.requests().filter(({ number, at }) => number > since && at < writtenBy)
  expect(before.filter(cloud.isList).length, 'lists until it was said').toBeLessThanOrEqual(lists)
  expect(changesTo([{ id, name: id }], cloud, since)).toEqual([])
  return said.message
}
