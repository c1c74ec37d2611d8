import { BaseService, IamAuthenticator } from 'ibm-cloud-sdk-core'
import { FakeClock } from '../../support/fakes/fake-clock.ts'
import { controlCall, type ControlAnswer } from '../suite/control-call.ts'
import { errorOf } from '../suite/error-of.ts'
import { startIbmSimulator, type IbmSimulator, type IbmSimulatorOptions } from './simulator.ts'
import { standardWorld } from './world.ts'

/** The simulator on a clock that stands still, and the vendor's own client in front of it. */
export interface IbmFixture extends AsyncDisposable {
  readonly clock: FakeClock
  readonly simulator: IbmSimulator
  readonly client: VpcClient
  /** Creates a spot instance as our own provider asks for it, but for what is given. */
  launch(over?: object): Promise<Json>
  /** Creates one and answers with its id. */
  launchOne(over?: object): Promise<string>
  /** The same, and it runs. */
  launchRunning(over?: object): Promise<string>
  /** What GET of it shows. */
  look(id: string): Promise<Json>
  /** A call that no decent client would make: to an address below the simulator's own, without any of its headers. */
  raw(path: string, init?: RequestInit): Promise<RawAnswer>
  /** The same with a good token, and with the version and generation that every call needs. */
  vpc(path: string, init?: RequestInit): Promise<RawAnswer>
  /** A control call over HTTP. */
  control(path: string, body?: unknown): Promise<ControlAnswer>
}

export type Json = Readonly<Record<string, unknown>>

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

export const version = '2026-08-04'

/**
 * VPC by the library on which all of IBM's own clients are built. One try only: what is answered is what a test sees.
 */
export class VpcClient extends BaseService {
  constructor({ url, facts }: IbmSimulator, apikey: string = facts.apikey) {
    super({
      authenticator: new IamAuthenticator({ apikey, url, proxy: false }),
      serviceUrl: `${url}/v1`,
      proxy: false,
    })
  }

  async call(method: string, url: string, { body, qs, headers }: CallOptions = {}): Promise<VpcAnswer> {
    const answer: unknown = await this.createRequest({
      options: { method, url, qs: { version, generation: 2, ...qs }, ...(body && { body }) },
      defaultOptions: { ...this.baseOptions, headers: { ...headers, ...(body && { 'content-type': jsonOf(method) }) } },
    })
    return answer as VpcAnswer
  }

  async list(collection: string, qs: object = {}): Promise<Json[]> {
    const { result } = await this.call('GET', `/${collection}`, { qs })
    return result[collection.split('/').at(-1) ?? ''] as Json[]
  }
}

interface CallOptions {
  readonly body?: object
  readonly qs?: object
  readonly headers?: Readonly<Record<string, string>>
}

export interface VpcAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly result: Json
}

function jsonOf(method: string): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
}

/** The clock of the vendor's library is the machine's: a token must be good by both. */
export function clockOfToday(): FakeClock {
  return new FakeClock(Math.floor(Date.now() / 1000) * 1000)
}

export async function startIbm(options: Partial<IbmSimulatorOptions> = {}): Promise<IbmFixture> {
  const clock = clockOfToday()
  const simulator = await startIbmSimulator({ clock, world: standardWorld(), ...options })
  const client = new VpcClient(simulator)
  let launched = 0
  const launch: IbmFixture['launch'] = async (over) => {
    launched += 1
    const body = { ...usualLaunch(simulator), name: `worker-${launched}`, ...over }
    return (await client.call('POST', '/instances', { body })).result
  }
  const raw: IbmFixture['raw'] = (path, init) => ask(`${simulator.url}${path}`, init)
  return {
    clock,
    simulator,
    client,
    launch,
    launchOne: async (over) => String((await launch(over))['id']),
    async launchRunning(over) {
      const { id } = await launch(over)
      await clock.advance(2000)
      return String(id)
    },
    look: async (id) => (await client.call('GET', `/instances/${id}`)).result,
    raw,
    async vpc(path, { headers, ...init } = {}) {
      const common = new URLSearchParams({ version, generation: '2' })
      const authorization = await bearer(simulator)
      const address = `/v1${path}${path.includes('?') ? '&' : '?'}${common.toString()}`
      return raw(address, { ...init, headers: { authorization, ...(headers as Record<string, string>) } })
    },
    control: (path, body) => controlCall(simulator.url, path, body),
    [Symbol.asyncDispose]: () => simulator.close(),
  }
}

export function tokenForm(apikey: string): URLSearchParams {
  return new URLSearchParams({
    grant_type: 'urn:ibm:params:oauth:grant-type:apikey',
    apikey,
    response_type: 'cloud_iam',
  })
}

export async function bearer({ url, facts }: IbmSimulator): Promise<string> {
  const answer = await fetch(`${url}/identity/token`, { method: 'POST', body: tokenForm(facts.apikey) })
  const { access_token } = (await answer.json()) as { access_token: string }
  return `Bearer ${access_token}`
}

export function usualLaunch({ facts }: IbmSimulator): object {
  return {
    zone: { name: facts.zones[0] },
    image: { id: facts.image },
    profile: { name: 'bxf-2x8' },
    vpc: { id: facts.vpc },
    resource_group: { id: facts.resourceGroup },
    keys: [{ id: facts.key }],
    user_data: '#cloud-config\n',
    availability: { class: 'spot' },
    availability_policy: { preemption: 'stop' },
    reservation_affinity: { policy: 'disabled' },
    boot_volume_attachment: {
      delete_volume_on_instance_delete: true,
      volume: { profile: { name: 'general-purpose' }, capacity: 100 },
    },
    primary_network_attachment: {
      virtual_network_interface: {
        subnet: { id: facts.subnet },
        security_groups: [{ id: facts.securityGroup }],
        auto_delete: true,
      },
    },
  }
}

export interface Refusal {
  readonly status: number | undefined
  readonly code: string
  readonly message: string
  readonly target: unknown
}

/** How the call was refused. Fails when it was not. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const error = (await errorOf(call)) as Error & { status?: number; result?: { errors?: readonly Refusal[] } }
  const [first] = error.result?.errors ?? []
  const { code = '', message = error.message, target } = first ?? {}
  return { status: error.status, code, message, target }
}

async function ask(url: string, init: RequestInit = {}): Promise<RawAnswer> {
  const answer = await fetch(url, init)
  const text = await answer.text()
  const { status, headers } = answer
  return { status, headers, text, json: headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined }
}
