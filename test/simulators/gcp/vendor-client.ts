import { createRequire } from 'node:module'

/**
 * The vendor's own client against a simulator, in a process of its own: its import takes seconds and hundreds of
 * megabytes. Its types are not imported either, since they alone would double the time of a type check. The facts are
 * its first argument; what it saw is one line of JSON on standard output.
 */
interface Facts {
  readonly url: string
  readonly project: string
  readonly subnet: string
  readonly image: string
}

type Call = (request: object, options?: object) => Promise<readonly [Seen, ...unknown[]]>
type List = (request: object, options?: object) => AsyncIterable<readonly [string, Seen]>

interface Seen {
  readonly name?: string
  readonly id?: string
  readonly status?: string
  readonly latestResponse?: Seen
  readonly instances?: readonly Seen[]
  readonly operations?: readonly Seen[]
  readonly warning?: { readonly code?: string }
  readonly networkInterfaces?: readonly { readonly networkIP?: string }[]
  readonly scheduling?: { readonly provisioningModel?: string }
  readonly targetId?: string
  readonly guestCpus?: number
}

interface Client {
  readonly insert: Call
  readonly get: Call
  readonly delete: Call
  readonly stop: Call
  readonly wait: Call
  readonly aggregatedListAsync: List
  close(): Promise<void>
}

type ClientClass = new (options: object) => Client

const require = createRequire(import.meta.url)

function classIn(file: string, name: string): ClientClass {
  const loaded = require(`@google-cloud/compute/build/src/v1/${file}`) as Readonly<Record<string, ClientClass>>
  const found = loaded[name]
  if (!found) throw new Error(`@google-cloud/compute has no ${name}`)
  return found
}

function clientsFor({ url, project }: Facts) {
  const { PassThroughClient, OAuth2Client } = require('google-auth-library') as {
    PassThroughClient: new () => object
    OAuth2Client: new () => { setCredentials(credentials: object): void }
  }
  const authClient = new OAuth2Client()
  authClient.setCredentials({ access_token: 'ya29.anything', expiry_date: 8.64e15 })
  const { hostname, port } = new URL(url)
  const options = { apiEndpoint: hostname, port: Number(port), protocol: 'http', projectId: project }
  const Instances = classIn('instances_client.js', 'InstancesClient')
  const Operations = classIn('zone_operations_client.js', 'ZoneOperationsClient')
  return {
    instances: new Instances({ ...options, authClient }),
    operations: new Operations({ ...options, authClient }),
    stranger: new Instances({ ...options, authClient: new PassThroughClient() }),
  }
}

const zone = 'us-central1-a'

function instanceOf({ image, subnet }: Facts): object {
  return {
    name: 'vendor',
    machineType: `zones/${zone}/machineTypes/e2-standard-2`,
    labels: { role: 'worker' },
    scheduling: {
      provisioningModel: 'SPOT',
      instanceTerminationAction: 'STOP',
      automaticRestart: false,
      onHostMaintenance: 'TERMINATE',
    },
    disks: [{ boot: true, autoDelete: true, initializeParams: { sourceImage: image, diskSizeGb: '20' } }],
    networkInterfaces: [{ subnetwork: subnet }],
    metadata: { items: [{ key: 'user-data', value: '#cloud-config' }] },
  }
}

async function listed(client: Client, project: string): Promise<string[]> {
  const seen: string[] = []
  for await (const [scope, { instances = [], warning }] of client.aggregatedListAsync({ project, maxResults: 10 })) {
    seen.push(...instances.map(({ name }) => `${scope} ${name}`))
    if (warning?.code !== undefined && scope === 'zones/us-east1-b') seen.push(`${scope} ${warning.code}`)
  }
  return seen
}

/** How a call was refused. */
async function refusal(call: Promise<unknown>): Promise<unknown> {
  try {
    await call
    return 'not at all'
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    return [code, message]
  }
}

async function tryAll(facts: Facts): Promise<object> {
  const { instances, operations, stranger } = clientsFor(facts)
  const place = { project: facts.project, zone }
  const once = { timeout: 10_000, retry: { retryCodes: [] } }
  const requestId = '11111111-2222-5333-8444-555555555555'
  const request = { ...place, requestId, instanceResource: instanceOf(facts) }
  const [inserted] = await instances.insert(request, once)
  const [again] = await instances.insert(request, once)
  const operation = inserted.latestResponse?.name
  const [done] = await operations.wait({ ...place, operation }, once)
  const [shown] = await instances.get({ ...place, instance: 'vendor' }, once)
  const named = { ...place, instance: 'vendor' }
  const seen = {
    operation: [inserted.latestResponse?.status, done.status, again.latestResponse?.name === operation],
    shown: [shown.name, shown.status, shown.networkInterfaces?.[0]?.networkIP, shown.scheduling?.provisioningModel],
    sameId: shown.id === inserted.latestResponse?.targetId,
    listed: await listed(instances, facts.project),
    taken: await refusal(instances.insert({ ...place, instanceResource: instanceOf(facts) }, once)),
    unauthenticated: await refusal(stranger.get(named, once)),
  }
  const [removed] = await instances.delete(named, once)
  await operations.wait({ ...place, operation: removed.latestResponse?.name }, once)
  const gone = await refusal(instances.get(named, once))
  const left = await listed(instances, facts.project)
  for (const client of [instances, operations, stranger]) await client.close()
  return { ...seen, gone, left }
}

process.stdout.write(JSON.stringify(await tryAll(JSON.parse(process.argv[2] ?? '') as Facts)))
