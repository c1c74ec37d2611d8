import { expect, test } from 'vitest'
import { instancesPath, refusalOf, startGce, usualInsert, zone, type More } from './fixture.ts'

test('without credentials nothing is answered', async () => {
  await using gce = await startGce()
  expect(await refusalOf(gce.call('GET', instancesPath, { headers: {} }))).toMatchObject({
    code: 'required',
    status: 401,
  })
  expect(await refusalOf(gce.call('GET', instancesPath, { headers: { authorization: 'Basic eDp5' } }))).toMatchObject({
    status: 401,
  })
})

test('an address that is no API is answered with HTML, one that is not simulated says so', async () => {
  await using gce = await startGce()
  const nowhere = await fetch(`${gce.simulator.url}/nowhere`)
  expect([nowhere.status, nowhere.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8'])
  const known = await refusalOf(gce.call('POST', `zones/${zone}/instances/worker/reset`))
  expect(known).toMatchObject({ code: 'notImplemented', status: 501 })
  expect(known.message).toContain('This simulator of GCE does not simulate POST /compute/v1/projects/')
})

test.each<[string, [string, string, More?], { code: string; status?: number; message: string }]>([
  [
    'a query parameter that is unknown',
    ['GET', instancesPath, { query: { returnPartial: 'true' } }],
    {
      code: 'badRequest',
      message:
        'Invalid JSON payload received. Unknown name "returnPartial": Cannot bind query parameter. ' +
        "Field 'returnPartial' could not be found in request message.",
    },
  ],
  [
    'a truth that is none',
    ['GET', instancesPath, { query: { returnPartialSuccess: 'yes' } }],
    { code: 'badRequest', message: `Invalid value at 'returnPartialSuccess' (TYPE_BOOL), "yes"` },
  ],
  [
    'a number that is none',
    ['GET', instancesPath, { query: { maxResults: 'many' } }],
    { code: 'badRequest', message: `Invalid value at 'maxResults' (TYPE_INT64), "many"` },
  ],
  ['a body that is no JSON', ['POST', instancesPath, { body: '{' }], { code: 'badRequest', message: 'Invalid JSON' }],
  [
    'no body',
    ['POST', instancesPath, { body: '' }],
    { code: 'required', message: "Required field 'resource' not specified" },
  ],
  [
    'a body in which nothing stands',
    ['POST', instancesPath, { body: {} }],
    { code: 'required', message: "Required field 'resource' not specified" },
  ],
  ['a body that is a list', ['POST', instancesPath, { body: [] }], { code: 'badRequest', message: "'resource'" }],
  [
    'a zone that is not there',
    ['GET', 'zones/us-central1-z/instances', {}],
    { code: 'invalid', message: "Invalid value for field 'zone': 'us-central1-z'. Unknown zone." },
  ],
  [
    'a region in place of a zone',
    ['GET', 'zones/us-east1/instances', {}],
    { code: 'invalid', message: "Invalid value for field 'zone': 'us-east1'. Unknown zone." },
  ],
  [
    'a region that is not there',
    ['GET', 'regions/us-west9/subnetworks', {}],
    { code: 'invalid', message: "Invalid value for field 'region': 'us-west9'. Unknown region." },
  ],
  [
    'a name that cannot be',
    ['DELETE', `${instancesPath}/worker-`, {}],
    {
      code: 'invalid',
      message:
        "Invalid value for field 'instance': 'worker-'. Must be a match of regex " +
        "'[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?|[1-9][0-9]{0,19}'",
    },
  ],
  [
    'an instance that is not there',
    ['GET', `${instancesPath}/gone`, {}],
    {
      code: 'notFound',
      status: 404,
      message: "The resource 'projects/spot-simulated/zones/us-central1-a/instances/gone' was not found",
    },
  ],
  [
    'a page of more than 500',
    ['GET', instancesPath, { query: { maxResults: '501' } }],
    { code: 'invalid', message: '501' },
  ],
  [
    'a token that is none',
    ['GET', instancesPath, { query: { pageToken: 'next' } }],
    { code: 'invalid', message: "Invalid value for field 'pageToken': 'next'." },
  ],
  [
    'an order that is none',
    ['GET', instancesPath, { query: { orderBy: 'status' } }],
    { code: 'invalid', message: "Invalid value for field 'orderBy': 'status'." },
  ],
])('%s is refused', async (_, call, { code, status = 400, message }) => {
  await using gce = await startGce()
  const refusal = await refusalOf(gce.call(...call))
  expect(refusal).toEqual({ code, status, message: expect.stringContaining(message) as string })
})

test('a query parameter that comes twice is refused', async () => {
  await using gce = await startGce()
  expect(await refusalOf(gce.call('GET', `${instancesPath}?maxResults=5&maxResults=6`))).toMatchObject({
    code: 'badRequest',
    status: 400,
  })
})

test("another project is nobody's business; its images are", async () => {
  await using gce = await startGce()
  const other = (path: string) => gce.call('GET', `../${path}`)
  expect(await refusalOf(other(`somebody-else/${instancesPath}`))).toEqual({
    code: 'forbidden',
    status: 403,
    message: "Required 'compute.instances.list' permission for 'projects/somebody-else'",
  })
  const image = await other('ubuntu-os-cloud/global/images/family/ubuntu-2404-lts-amd64')
  expect(image.json).toMatchObject({ kind: 'compute#image', family: 'ubuntu-2404-lts-amd64', architecture: 'X86_64' })
})

test('credentials are nowhere in the record of calls; of a request is all, with a hash of its user data', async () => {
  await using gce = await startGce()
  const metadata = { items: [{ key: 'user-data', value: 'kubeadm join --token abcdef.0123456789abcdef' }] }
  await gce.inserted({ metadata })
  await gce.call('GET', instancesPath, { headers: {}, query: { access_token: 'token-canary' } })
  const [insert, list] = gce.simulator.requests
  expect(JSON.stringify([insert, list])).not.toMatch(/abcdef\.|ya29|token-canary/)
  expect(list?.answer).toEqual({ status: 200 })
  const hash = { key: 'user-data', value: expect.stringMatching(/^sha256:[0-9a-f]{64} of 44 characters$/) as string }
  const body = { ...usualInsert(gce.simulator), metadata: { items: [hash] } }
  expect(insert?.params).toEqual({ project: 'spot-simulated', zone, body })
})

test('a body that is no JSON is not recorded either', async () => {
  await using gce = await startGce()
  await gce.call('POST', instancesPath, { body: '{"metadata": secret-canary' })
  expect(JSON.stringify(gce.simulator.requests)).not.toContain('canary')
})
