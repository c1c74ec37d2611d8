import { getQueryParam } from 'ibm-cloud-sdk-core'
import type { BootedMachine } from '../kit/instances/nodes.ts'
import type { RigOptions, SimulatedCloudRig, SimulatorRig, Wish } from '../suite/rig.ts'
import type { Words } from '../suite/words.ts'
import { bearer, refusalOf, startIbm, usualLaunch, version, type IbmFixture, type Json } from './fixture.ts'

const unreadable = /Error processing HTTP response/
const own =
  'fail accept-keys expire-tokens add-account fail-next-launch reserve cancel-reservation quota behave retry-after'

const words: Words = {
  create: 'create_instance',
  list: 'list_instances',
  accepted: 201,
  throttled: { code: 'rate_limit_exceeded', status: 429 },
  limited: { code: 'rate_limit_exceeded', status: 429 },
  serverErrors: ['500 internal_error', '500 internal_server_error', '503 backend_service_unavailable'],
  statuses: {
    over_quota: 400,
    rate_limit_exceeded: 429,
    not_authorized: 401,
    not_found: 404,
    invalid_state: 409,
    backend_service_unavailable: 503,
    internal_server_error: 500,
    something_new: 400,
  },
  refused: { code: 'over_quota', status: 400 },
  cutOff: /socket hang up|ECONNRESET/,
  harmed: {
    // An error that has the status of a success: a caller that looks at the status alone believes in an answer.
    'cut-body': /201.*Created/,
    'half-body': unreadable,
    garbage: unreadable,
    'proxy-page': /502.*Bad Gateway/,
  },
  repeated: 'validation_unique_failed',
  noCapacity: 'cannot_start_capacity',
  types: { usual: 'bxf-2x8', other: 'bxf-4x16' },
  zones: { home: 'us-south-1', other: 'us-south-2' },
  made: 'pending',
  running: 'running',
  ending: 'deleting',
  ended: undefined,
  interrupted: ['stopping', 'stopped'],
  noticed: 'stopping',
  findsLate: false,
  notFound: { code: 'not_found', status: 404 },
  realCreations: { scale: 0.25, count: 5 },
  worker: 'worker',
  shown: {
    name: 'worker',
    reason: 'stopped_by_preemption',
    preemption: 'stop',
    privateIp: '10.240.0.4',
    privateDnsName: 'worker',
    tags: {},
  },
  ends: [],
  // The guest has until the instance is stopped.
  lingers: ['interrupt'],
  verbs: own.split(' '),
  views: ['quotas', 'reservations', 'behaviour', 'logs'],
  truth: 'writes',
  refusedSwitches: [
    ['a switch that is none', 'behave', { switch: 'light', to: 'on' }, '"switch" must be one of capacityFailure, '],
    ['a behaviour that is none', 'behave', { switch: 'deletion', to: '200' }, '"to" must be "204" or "202".'],
    ['a switch without a word', 'behave', { switch: 'deletion' }, '"to" must be "204" or "202".'],
    ['a quota that is none', 'quota', { name: 'cores', limit: 1 }, '"name" must be one of spotInstances, vcpus, '],
    ['a quota below nothing', 'quota', { name: 'gpus', limit: -1 }, '"limit" must be a number from 0.'],
  ],
}

export const ibmRig: SimulatedCloudRig = { name: 'ibm', words, start }

async function start(options: RigOptions = {}): Promise<SimulatorRig> {
  const ibm = await startIbm(options)
  const { client, clock, simulator } = ibm
  // With a token already: no later call is one for a token.
  await client.list('vpcs')
  const create: SimulatorRig['create'] = ({ signal, ...wish } = {}) =>
    signal ? createUntil(ibm, wish, signal) : ibm.launchOne(launchOf(ibm, wish))
  return {
    clock,
    simulator,
    create,
    prepare: () => Promise.resolve(),
    async page(token) {
      const qs = { limit: 5, ...(token !== undefined && { start: token }) }
      const { instances = [], next } = (await client.call('GET', '/instances', { qs })).result
      const items = (instances as Json[]).map(({ id, status }) => ({ id: String(id), state: String(status) }))
      const link = (next as { href: string } | undefined)?.href
      return { items, next: link === undefined ? undefined : (getQueryParam(link, 'start') ?? '') }
    },
    find: (id) => ibm.look(id).then(({ status }) => String(status), absent),
    end: async (id) => void (await client.call('DELETE', `/instances/${id}`)),
    restart: async (id) => void (await client.call('POST', `/instances/${id}/actions`, { body: { type: 'start' } })),
    async fate(wish) {
      const id = await create(wish)
      await clock.advance(2000)
      const [reason] = (await ibm.look(id))['status_reasons'] as { code: string }[]
      return reason?.code
    },
    made: () => simulator.control.instances().map(({ id }) => id),
    limit(what, most) {
      const size = { most, perSecond: 1 }
      simulator.control.buckets(what === 'lists' ? { read: size } : { actions: { create_instance: size } })
      return 1000
    },
    listAsNobody: () => ibm.raw(`/v1/instances?version=${version}&generation=2`),
    rawList: () => ibm.vpc('/instances'),
    refusalOf,
    presented: (id) => presented(ibm, id),
    control: (path, body) => ibm.control(path, body),
    [Symbol.asyncDispose]: () => ibm[Symbol.asyncDispose](),
  }
}

function launchOf({ simulator: { facts } }: IbmFixture, wish: Wish): object {
  const { name, size = 'usual', zone = 'home', market = 'spot' } = wish
  const subnet = { subnet: { id: facts.subnets[1]?.id } }
  return {
    ...(name !== undefined && { name }),
    profile: { name: { ...words.types, gpu: 'gx3-48x240x2l40s' }[size] },
    ...(zone === 'other' && {
      zone: { name: words.zones.other },
      primary_network_attachment: { virtual_network_interface: { ...subnet, auto_delete: true } },
    }),
    ...(market === 'on-demand' && { availability: { class: 'standard' } }),
    ...('userData' in wish && { user_data: wish.userData }),
  }
}

/** Over plain HTTP: the vendor's client cannot be cut off. */
async function createUntil(ibm: IbmFixture, wish: Wish, signal: AbortSignal): Promise<string> {
  const headers = { authorization: await bearer(ibm.simulator), 'content-type': 'application/json' }
  const body = JSON.stringify({ ...usualLaunch(ibm.simulator), name: 'mortal', ...launchOf(ibm, wish) })
  const path = `/v1/instances?version=${version}&generation=2`
  const { json } = await ibm.raw(path, { method: 'POST', headers, body, signal })
  return String((json as Json)['id'])
}

function absent(error: unknown): undefined {
  if ((error as { status?: number }).status !== 404) throw error
}

function presented({ simulator: { facts } }: IbmFixture, id: string): BootedMachine {
  return {
    name: 'worker',
    providerID: `ibm://${facts.accountId}///cluster/${id}`,
    instanceType: 'gx3-48x240x2l40s',
    region: 'us-south',
    zone: 'us-south-1',
    addresses: [
      { type: 'InternalIP', address: '10.240.0.4' },
      { type: 'InternalDNS', address: 'worker' },
      { type: 'Hostname', address: 'worker' },
    ],
    architecture: 'amd64',
    cpus: 48,
    memoryMiB: 245_760,
    devices: { 'nvidia.com/gpu': 2 },
  }
}
