import type { Json } from '../kit/http/decode-json.ts'
import type { BootedMachine } from '../kit/instances/nodes.ts'
import { errorOf } from '../suite/error-of.ts'
import type { RigOptions, SimulatedCloudRig, SimulatorRig, Wish } from '../suite/rig.ts'
import type { Words } from '../suite/words.ts'
import {
  failureOf,
  instancesPath,
  onDemand,
  requestIdOf,
  startGce,
  usualInsert,
  zone as home,
  type Answer,
  type GceFixture,
  type Message,
} from './fixture.ts'

const dnsName = `worker.${home}.c.spot-simulated.internal`

const own =
  'impair repair quota lift-quota reserve cancel-reservation unreachable reachable fail-next-operation accept-tokens expire-tokens'

const words: Words = {
  create: 'instances.insert',
  list: 'instances.aggregatedList',
  accepted: 200,
  throttled: { code: 'rateLimitExceeded', status: 403 },
  limited: { code: 'rateLimitExceeded', status: 403 },
  serverErrors: ['500 internalError', '502 backendError', '503 backendError'],
  statuses: {
    forbidden: 403,
    quotaExceeded: 403,
    notFound: 404,
    alreadyExists: 409,
    internalError: 500,
    backendError: 503,
    resourcePoolExhausted: 503,
    somethingNew: 400,
  },
  refused: { code: 'quotaExceeded', status: 403 },
  cutOff: /fetch failed/,
  harmed: { 'cut-body': /terminated/, 'half-body': /JSON/, garbage: /JSON/, 'proxy-page': /502 .*<html>/ },
  noCapacity: 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS',
  types: { usual: 'e2-standard-2', other: 'e2-standard-4' },
  zones: { home, other: 'us-central1-b' },
  made: 'PROVISIONING',
  running: 'RUNNING',
  ending: 'STOPPING',
  ended: undefined,
  interrupted: ['STOPPING', 'TERMINATED'],
  noticed: 'RUNNING',
  findsLate: true,
  notFound: { code: 'notFound', status: 404 },
  realCreations: { scale: 0.002, count: 3 },
  worker: 'worker',
  shown: {
    name: 'worker',
    reason: 'compute.instances.preempted',
    privateIp: '10.0.0.2',
    privateDnsName: dnsName,
    tags: { role: 'worker' },
    launchedAt: '2026-01-01T00:00:00.000Z',
  },
  ends: ['impair'],
  lingers: [],
  verbs: own.split(' '),
  views: ['quotas', 'reservations', 'service-account-key'],
  truth: 'writes',
  reservationKey: 'name',
  refusedSwitches: [
    ['a reason that is none', 'stop', { id: 'worker', reason: 'fun' }, '"reason" must be one of user, guest, '],
    ['a metric that is none', 'quota', { metric: 'GPUS', limit: 1 }, '"metric" must be one of CPUS, '],
    ['a limit below nothing', 'quota', { metric: 'CPUS', limit: -1 }, '"limit" must be a number from 0.'],
    ['a zone that is none', 'unreachable', { zone: 'us-central1' }, '"zone" must be one of us-central1-a, '],
    ['tokens that are unknown', 'accept-tokens', { which: 'good' }, '"which" must be "issued" or "any".'],
  ],
}

export const gcpRig: SimulatedCloudRig = { name: 'gcp', words, start }

async function start(options: RigOptions = {}): Promise<SimulatorRig> {
  const gce = await startGce(options)
  const { clock, simulator } = gce
  /** A name has one request id: to insert it again is to send the same request again. */
  const names: string[] = []
  const insert = async (wish: Wish = {}): Promise<Message> => {
    const { name = `worker-${names.length + 1}` } = wish
    if (!names.includes(name)) names.push(name)
    const query = { requestId: requestIdOf(names.indexOf(name) + 1) }
    const body = bodyOf(gce, { ...wish, name })
    return accepted(await gce.call('POST', pathIn(wish), { query, body, ...(wish.signal && { signal: wish.signal }) }))
  }
  const list = async (query: Readonly<Record<string, string>>) =>
    accepted(await gce.call('GET', listPath, { query: { maxResults: '5', ...query } }))
  return {
    clock,
    simulator,
    create: async (wish) => (await insert(wish)).targetId ?? '',
    prepare: () => Promise.resolve(),
    async page(token) {
      const { items = {}, nextPageToken } = await list(token === undefined ? {} : { pageToken: token })
      const zones = Object.values(items as Readonly<Record<string, { readonly instances?: readonly Message[] }>>)
      const instances = zones.flatMap((one) => one.instances ?? [])
      return { items: instances.map(({ id = '', status = '' }) => ({ id, state: status })), next: nextPageToken }
    },
    find: async (id) => (await gce.look(id))?.status,
    end: async (id) => void accepted(await gce.call('DELETE', `${instancesPath}/${id}`)),
    restart: async (id) => void accepted(await gce.call('POST', `${instancesPath}/${id}/start`)),
    async fate(wish = {}) {
      const { name = '' } = await insert(wish)
      await clock.advance(2000)
      return failureOf(await gce.done('GET', `${pathIn(wish).replace('instances', 'operations')}/${name}`)).code
    },
    made: () => simulator.control.instances().map(({ id }) => id),
    limit(what, most) {
      simulator.control.buckets(what === 'lists' ? { lists: most } : { queries: most })
      return 60_000 - (clock.now() % 60_000)
    },
    listAsNobody: () => gce.call('GET', listPath, { headers: {} }),
    rawList: () => gce.call('GET', listPath),
    refusalOf,
    presented: () => presented,
    control: (path, body) => gce.control(path, body),
    [Symbol.asyncDispose]: () => gce[Symbol.asyncDispose](),
  }
}

const listPath = 'aggregated/instances'

function pathIn({ zone = 'home' }: Wish): string {
  return `zones/${words.zones[zone]}/instances`
}

function bodyOf({ simulator }: GceFixture, wish: Wish): Json {
  const { name, size = 'usual', zone = 'home', market = 'spot' } = wish
  const type = { ...words.types, gpu: 'g2-standard-24' }[size]
  const items = wish.userData === undefined ? [] : [{ key: 'user-data', value: wish.userData }]
  const body = {
    ...usualInsert(simulator),
    ...(market === 'on-demand' && onDemand),
    ...('userData' in wish && { metadata: { items } }),
    name,
    machineType: `zones/${home}/machineTypes/${type}`,
  }
  return JSON.parse(JSON.stringify(body).replaceAll(home, words.zones[zone])) as Json
}

/** A refusal as an error, as clients have it. */
function accepted({ status, text, json }: Answer): Message {
  if (status === 200) return json
  const [first] = json.error?.errors ?? []
  const { reason } = (first ?? {}) as { reason?: string }
  throw Object.assign(new Error(first?.message ?? text), { status, code: reason ?? '' })
}

async function refusalOf(call: Promise<unknown>) {
  const { code, status, message } = (await errorOf(call)) as Error & { code: string; status: number }
  return { code, status, message }
}

const presented: BootedMachine = {
  name: 'worker',
  providerID: `gce://spot-simulated/${home}/worker`,
  instanceType: 'g2-standard-24',
  region: 'us-central1',
  zone: home,
  addresses: [
    { type: 'InternalIP', address: '10.0.0.2' },
    { type: 'InternalDNS', address: dnsName },
    { type: 'Hostname', address: dnsName },
  ],
  architecture: 'amd64',
  cpus: 24,
  memoryMiB: 98_304,
  devices: { 'nvidia.com/gpu': 2 },
}
