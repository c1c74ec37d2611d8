import { expect, test } from 'vitest'
import { instancesPath, refusalOf, startGce, zone } from './fixture.ts'

const mask = 'items/*/instances(id,name,status,labels),nextPageToken,unreachables'

test.each<[string, { query?: Record<string, string>; headers?: Record<string, string> }]>([
  ['by fields', { query: { fields: mask } }],
  ['by $fields', { query: { $fields: mask } }],
  ['by the header', { headers: { authorization: 'Bearer x', 'x-goog-fieldmask': mask } }],
])('%s: only what is asked for comes, and no bootstrap data', async (_, more) => {
  await using gce = await startGce()
  const { targetId } = await gce.inserted()
  const { items, ...rest } = await gce.done('GET', 'aggregated/instances', more)
  expect(rest).toEqual({})
  expect((items as Record<string, unknown>)[`zones/${zone}`]).toEqual({
    instances: [{ id: targetId, name: 'worker', status: 'PROVISIONING', labels: { role: 'worker' } }],
  })
  expect((items as Record<string, unknown>)['zones/us-east1-b']).toEqual({})
})

test.each<[string, string, object]>([
  ['one field of one resource', 'name', { name: 'worker' }],
  ['fields inside', 'networkInterfaces/networkIP', { networkInterfaces: [{ networkIP: '10.0.0.2' }] }],
  ['fields inside, with dots', 'scheduling.preemptible', { scheduling: { preemptible: true } }],
  ['a value of a map', 'labels/role', { labels: { role: 'worker' } }],
  [
    'several of one parent',
    'scheduling/preemptible,scheduling/provisioningModel',
    { scheduling: { preemptible: true, provisioningModel: 'SPOT' } },
  ],
  ['what is not there', 'description', {}],
])('%s', async (_, fields, shown) => {
  await using gce = await startGce()
  await gce.inserted()
  expect(await gce.done('GET', `${instancesPath}/worker`, { query: { fields } })).toEqual(shown)
})

test('the answer of an insert can be masked too', async () => {
  await using gce = await startGce()
  const body: unknown = JSON.parse(JSON.stringify({ name: 'x' }))
  expect(await refusalOf(gce.call('POST', instancesPath, { query: { fields: 'nme' }, body }))).toMatchObject({
    code: 'invalidParameter',
  })
})

test.each([
  ['instances.get', `${instancesPath}/worker`, 'nme', 'nme'],
  ['a list', 'aggregated/instances', 'items/*/machines(id)', 'machines'],
  ['a list of operations', 'aggregated/operations', 'items/*/operations/targetID', 'targetID'],
  ['a mask that does not end', 'aggregated/instances', 'items(', ''],
  ['below a text', `${instancesPath}/worker`, 'name/first', 'first'],
])('%s refuses a field that cannot be', async (_, path, fields, wrong) => {
  await using gce = await startGce()
  await gce.inserted()
  expect(await refusalOf(gce.call('GET', path, { query: { fields } }))).toEqual({
    code: 'invalidParameter',
    status: 400,
    message: `Error processing the 'fields' param value '${fields}': Invalid field selection ${wrong}`,
  })
})
