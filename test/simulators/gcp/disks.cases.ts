import { expect, test } from 'vitest'
import { instancesPath, namesIn, refusalOf, requestIdOf, startGce, zone } from './fixture.ts'
import { disk } from './traps/trap.ts'

const path = `zones/${zone}/disks/worker`

test('the disk of an instance says whose it is', async () => {
  await using gce = await startGce()
  await gce.inserted(disk({ labels: { owner: 'a' }, diskSizeGb: '30' }))
  expect(await gce.done('GET', path)).toMatchObject({
    name: 'worker',
    status: 'READY',
    sizeGb: '30',
    labels: { owner: 'a' },
    users: ['https://www.googleapis.com/compute/v1/projects/spot-simulated/zones/us-central1-a/instances/worker'],
    type: expect.stringMatching(/\/diskTypes\/pd-standard$/) as string,
  })
})

test('a disk that was left behind is in every list, and can be deleted', async () => {
  await using gce = await startGce()
  await gce.inserted(disk({}, { autoDelete: false }))
  await gce.done('DELETE', `${instancesPath}/worker`)
  await gce.clock.advance(1000)
  expect(namesIn(await gce.done('GET', 'aggregated/disks'), 'disks')).toEqual(['worker'])
  expect((await gce.done('GET', path))['users']).toBeUndefined()
  const query = { requestId: requestIdOf(1) }
  const first = await gce.done('DELETE', path, { query })
  expect(await gce.done('DELETE', path, { query })).toEqual(first)
  expect(await refusalOf(gce.call('DELETE', path))).toMatchObject({ code: 'notFound' })
  expect(gce.simulator.control.remains()).toEqual({ instances: [], disks: [], addresses: [] })
})

test('a disk in use is not deleted', async () => {
  await using gce = await startGce()
  await gce.inserted()
  expect(await refusalOf(gce.call('DELETE', path))).toMatchObject({
    code: 'resourceInUseByAnotherResource',
    status: 400,
    message: expect.stringContaining(
      "is already being used by 'projects/spot-simulated/zones/us-central1-a/instances/worker'",
    ) as string,
  })
})
