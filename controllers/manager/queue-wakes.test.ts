import { expect, it } from 'vitest'
import type { InfraMachine } from '../../api/machine.ts'
import { cloudNames, type CloudName } from '../../api/scope.ts'
import { eachCloud } from '../../providers/registry.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { Queue } from '../runtime/controller/queue.ts'
import { QueueWakes } from './queue-wakes.ts'

/** One machine in each cloud, all of one name. */
function wakesOf() {
  const clock = new FakeClock()
  const queues = eachCloud(() => new Queue({ clock }))
  const machine = { metadata: { namespace: 'default', name: 'm1' } } as InfraMachine
  const infraMachines = { by: (index: string, digest: string) => (index === 'tag' && digest === 'd1' ? [machine] : []) }
  return { queues, wakes: new QueueWakes(eachCloud((cloud) => ({ infraMachines, queue: queues[cloud] }))) }
}

const waiting = (queues: Readonly<Record<CloudName, Queue>>) =>
  cloudNames.filter((cloud) => queues[cloud].depth.ready > 0)

it.each(cloudNames)('a change in %s wakes the machine there, and none of the same name elsewhere', (cloud) => {
  const { queues, wakes } = wakesOf()
  wakes.instanceChanged(cloud, 'd1')
  expect(waiting(queues)).toEqual([cloud])
})

it('an instance of no machine wakes nothing', () => {
  const { queues, wakes } = wakesOf()
  wakes.instanceChanged('aws', 'd2')
  expect(waiting(queues)).toEqual([])
})

it('the machine of a changed instance comes before the others', async () => {
  const { queues, wakes } = wakesOf()
  queues.aws.add('default/m0')
  wakes.instanceChanged('aws', 'd1')
  expect(await queues.aws.take(new AbortController().signal)).toBe('default/m1')
})
