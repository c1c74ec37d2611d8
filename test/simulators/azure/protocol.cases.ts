import { expect, test } from 'vitest'
import { computeVersion, networkVersion, startAzure, type AzureFixture, type RawCall } from './fixture.ts'

const machine = ({ simulator: { facts } }: AzureFixture, name = 'm1') =>
  `/subscriptions/${facts.subscription}/resourceGroups/${facts.resourceGroup}/providers/Microsoft.Compute/virtualMachines/${name}`

const codeIn = (json: unknown) => (json as { error?: { code?: string } }).error?.code

test.each<[string, string, RawCall, [number, string]]>([
  ['no version', '', { version: '' }, [400, 'MissingApiVersionParameter']],
  ['a version that is none', '', { version: 'latest' }, [400, 'InvalidApiVersionParameter']],
  [
    'two versions',
    '?api-version=2026-04-01&api-version=2026-04-01',
    { version: '' },
    [400, 'InvalidApiVersionParameter'],
  ],
  ['a version of another time', '', { version: '2015-06-15' }, [400, 'NoRegisteredProviderFound']],
  ['a version of another provider', '', { version: networkVersion }, [400, 'NoRegisteredProviderFound']],
])('%s is refused', async (_, suffix, call, [status, code]) => {
  await using azure = await startAzure()
  const answer = await azure.raw('GET', `${machine(azure)}${suffix}`, call)
  expect([answer.status, codeIn(answer.json)]).toEqual([status, code])
})

test.each([
  ['Microsoft.Network/networkInterfaces', '2026-01-01'],
  ['Microsoft.Network/networkInterfaces', '2026-03-01'],
  ['Microsoft.Compute/virtualMachines', '2026-04-01'],
  ['Microsoft.Compute/disks', '2026-03-02'],
])("the vendor's clients ask for %s in version %s", async (type, version) => {
  await using azure = await startAzure()
  const { subscription } = azure.simulator.facts
  const { status, json } = await azure.raw('GET', `/subscriptions/${subscription}/providers/${type}`, { version })
  expect([status, json]).toEqual([200, { value: [] }])
})

test('the refusal of a version names those that there are', async () => {
  await using azure = await startAzure()
  const { json } = await azure.raw('GET', machine(azure), { version: '2015-06-15' })
  expect((json as { error: { message: string } }).error.message).toContain(computeVersion)
})

test.each<[string, (azure: AzureFixture) => string, [number, string]]>([
  ['a subscription that is no id', () => '/subscriptions/mine/resourceGroups', [400, 'InvalidSubscriptionId']],
  [
    "somebody else's subscription",
    () => '/subscriptions/00000000-0000-4000-8000-000000000000/resourceGroups',
    [404, 'SubscriptionNotFound'],
  ],
  [
    'a group that is not there',
    (azure) => machine(azure).replace('Spot-Workers', 'nowhere'),
    [404, 'ResourceGroupNotFound'],
  ],
  ['a machine that is not there', (azure) => machine(azure), [404, 'ResourceNotFound']],
  [
    'a provider that is none',
    (azure) => machine(azure).replace('Microsoft.Compute', 'Macrosoft.Compute'),
    [404, 'InvalidResourceNamespace'],
  ],
  ['what is not simulated', (azure) => `${machine(azure)}/runCommands/a`, [501, 'NotSimulated']],
  ['an operation that is not there', operationPath, [404, 'NotFound']],
])('%s', async (_, path, [status, code]) => {
  await using azure = await startAzure()
  const version = path(azure).endsWith('/resourceGroups') ? '2021-04-01' : computeVersion
  const answer = await azure.raw('GET', path(azure), { version })
  expect([answer.status, codeIn(answer.json)]).toEqual([status, code])
})

function operationPath({ simulator: { facts } }: AzureFixture): string {
  const place = `/subscriptions/${facts.subscription}/providers/Microsoft.Compute/locations/${facts.location}`
  return `${place}/operations/00000000-0000-4000-8000-000000000000`
}

test('what an address cannot do is refused', async () => {
  await using azure = await startAzure()
  const answer = await azure.raw('PUT', `${machine(azure)}/powerOff`)
  expect([answer.status, codeIn(answer.json)]).toEqual([405, 'HttpMethodNotAllowed'])
})

test('names and addresses are the same in any spelling', async () => {
  await using azure = await startAzure()
  await azure.launch('Worker-1')
  const shouted = machine(azure, 'Worker-1').toUpperCase()
  const { status, json } = await azure.raw('GET', shouted)
  expect([status, (json as { name: string }).name]).toEqual([200, 'Worker-1'])
})

test.each<[string, RawCall, [number, string]]>([
  [
    'a body that is not said to be JSON',
    { body: '{}', headers: { authorization: 'Bearer x', 'content-type': 'text/plain' } },
    [415, 'UnsupportedMediaType'],
  ],
  ['a body that is no JSON', { body: '{"location":' }, [400, 'InvalidRequestContent']],
  ['a body that is no object', { body: [] }, [400, 'InvalidRequestContent']],
  [
    'a member of no resource at all',
    { body: { location: 'westus2', priority: 'Spot' } },
    [400, 'InvalidRequestContent'],
  ],
  ['no properties', { body: { location: 'westus2' } }, [400, 'InvalidParameter']],
  ['a member of another type', { body: { location: 7, properties: {} } }, [400, 'BadRequest']],
])('%s is refused', async (_, call, [status, code]) => {
  await using azure = await startAzure()
  const answer = await azure.raw('PUT', machine(azure), call)
  expect([answer.status, codeIn(answer.json)]).toEqual([status, code])
})

test('an unknown member is named, with where it stands', async () => {
  await using azure = await startAzure()
  const body = { location: 'westus2', properties: { hardwareProfile: { vmSize: 'a', vmFlavor: 'b' } } }
  const { json } = await azure.raw('PUT', machine(azure), { body })
  expect(json).toEqual({
    error: {
      code: 'BadRequest',
      message: expect.stringMatching(
        /^Could not find member 'vmFlavor' on object of type 'HardwareProfile'\. Path 'properties\.hardwareProfile\.vmFlavor', line 1, position \d+\.$/,
      ) as string,
      target: 'properties.hardwareProfile.vmFlavor',
    },
  })
})

test('the network provider has its own words for the same', async () => {
  await using azure = await startAzure()
  const path = machine(azure).replace('Microsoft.Compute/virtualMachines', 'Microsoft.Network/networkInterfaces')
  const body = { location: 'westus2', properties: { ipConfiguration: [] } }
  const { status, json } = await azure.raw('PUT', path, { body, version: networkVersion })
  expect([status, json]).toMatchObject([
    400,
    {
      error: {
        code: 'InvalidRequestFormat',
        message: 'Cannot parse the request.',
        details: [{ code: 'InvalidJson', message: expect.stringContaining("'ipConfiguration'") as string }],
      },
    },
  ])
})

test('every answer has ids by which Azure could find it again', async () => {
  await using azure = await startAzure()
  const { headers } = await azure.raw('GET', machine(azure))
  expect(headers.get('x-ms-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(headers.get('x-ms-correlation-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test('passwords are nowhere in the record of calls: only a hash, by which calls can be compared', async () => {
  await using azure = await startAzure()
  const body = { location: 'westus2', properties: { osProfile: { adminPassword: 'password-canary' } } }
  for (const name of ['m1', 'm2']) await azure.raw('PUT', machine(azure, name), { body })
  expect(JSON.stringify(azure.simulator.requests)).not.toContain('canary')
  const [first, second] = azure.simulator.requests.map(({ params }) => params['body'])
  expect(first).toEqual(second)
  expect(first).toMatchObject({
    properties: { osProfile: { adminPassword: expect.stringMatching(/^sha256:/) as string } },
  })
})
