import { FakeClock } from '../../support/fakes/fake-clock.ts'
import type { Json } from '../kit/http/decode-json.ts'
import { controlCall, type ControlAnswer } from '../suite/control-call.ts'
import { startGcpSimulator, type GcpSimulator, type GcpSimulatorOptions } from './simulator.ts'
import { standardWorld } from './world.ts'

/** The simulator on a clock that stands still, and a client in front of it that is no more than HTTP. */
export interface GceFixture extends AsyncDisposable {
  readonly clock: FakeClock
  readonly simulator: GcpSimulator
  /** `path`: after the project, such as `zones/us-central1-a/instances`. */
  call(method: string, path: string, more?: More): Promise<Answer>
  /** The same, where it must be answered with 200. */
  done(method: string, path: string, more?: More): Promise<Message>
  /** A spot instance as our own provider asks for it, but for what is given. */
  insert(over?: Json, requestId?: string): Promise<Answer>
  /** Inserts one and answers with its operation. */
  inserted(over?: Json, requestId?: string): Promise<Message>
  /** The same, and it runs. */
  insertRunning(over?: Json, requestId?: string): Promise<Message>
  /** What instances.get shows; undefined: that there is none. */
  look(name: string): Promise<Message | undefined>
  operation(name: unknown): Promise<Message>
  /** What becomes of an insert: the code of its failure, or undefined. */
  fate(over?: Json): Promise<string | undefined>
  /** A control call over HTTP. */
  control(path: string, body?: unknown): Promise<ControlAnswer>
}

export interface More {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Any message of GCE's, as far as tests look into it. */
export interface Message {
  readonly name?: string
  readonly id?: string
  readonly status?: string
  readonly targetId?: string
  readonly operationType?: string
  readonly nextPageToken?: string
  readonly items?: unknown
  readonly error?: { readonly errors: readonly { readonly code: string; readonly message: string }[] }
  readonly [name: string]: unknown
}

export interface Answer {
  readonly status: number
  readonly text: string
  readonly json: Message
}

export const zone = 'us-central1-a'
export const instancesPath = `zones/${zone}/instances`
export const requestIdOf = (number: number) => `00000000-0000-5000-8000-${String(number).padStart(12, '0')}`
export const bearer = { authorization: 'Bearer ya29.anything' }

export async function startGce(options: Partial<GcpSimulatorOptions> = {}): Promise<GceFixture> {
  const clock = new FakeClock()
  const simulator = await startGcpSimulator({ clock, world: standardWorld(), ...options })
  const { url, facts } = simulator
  const call: GceFixture['call'] = (method, path, more) =>
    ask(`${url}/compute/v1/projects/${facts.project}/${path}`, method, more)
  const done: GceFixture['done'] = async (...asked) => {
    const { status, text, json } = await call(...asked)
    if (status !== 200) throw new Error(text)
    return json
  }
  const insert: GceFixture['insert'] = (over, requestId) =>
    call('POST', instancesPath, {
      body: { ...usualInsert(simulator), ...over },
      ...(requestId !== undefined && { query: { requestId } }),
    })
  const inserted: GceFixture['inserted'] = async (over, requestId) => {
    const { status, text, json } = await insert(over, requestId)
    if (status !== 200) throw new Error(text)
    return json
  }
  const operation = (name: unknown) => done('GET', `zones/${zone}/operations/${String(name)}`)
  return {
    clock,
    simulator,
    call,
    done,
    insert,
    inserted,
    async insertRunning(...asked) {
      const operation = await inserted(...asked)
      await clock.advance(2000)
      return operation
    },
    async look(name) {
      const { status, json } = await call('GET', `${instancesPath}/${name}`)
      return status === 404 ? undefined : json
    },
    operation,
    async fate(over) {
      const { name } = await inserted(over)
      await clock.advance(2000)
      return failureOf(await operation(name)).code
    },
    control: (path, body) => controlCall(url, path, body),
    [Symbol.asyncDispose]: () => simulator.close(),
  }
}

export function usualInsert({ facts }: GcpSimulator): Json {
  return {
    name: 'worker',
    machineType: `zones/${zone}/machineTypes/e2-standard-2`,
    labels: { role: 'worker' },
    scheduling: {
      provisioningModel: 'SPOT',
      instanceTerminationAction: 'STOP',
      automaticRestart: false,
      onHostMaintenance: 'TERMINATE',
    },
    disks: [
      {
        boot: true,
        autoDelete: true,
        initializeParams: {
          sourceImage: facts.image,
          diskSizeGb: '20',
          diskType: `zones/${zone}/diskTypes/pd-balanced`,
        },
      },
    ],
    networkInterfaces: [{ subnetwork: facts.subnet }],
    metadata: { items: [{ key: 'user-data', value: '#cloud-config\n' }] },
  }
}

/** An instance that is not spot. */
export const onDemand: Json = { scheduling: {} }

export interface Refusal {
  readonly code: string
  readonly status: number
  readonly message: string
}

/** How the call was refused, in the words of Google's errors. Fails when it was not. */
export async function refusalOf(call: Promise<Answer>): Promise<Refusal> {
  const { status, json } = await call
  const error = json.error as unknown as {
    code: number
    message: string
    errors: { reason: string; message: string }[]
  }
  if (status < 400 || error.code !== status) throw new Error(`The call was not refused as it should: ${status}`)
  const { reason, message } = error.errors[0] ?? { reason: '', message: '' }
  if (message !== error.message) throw new Error(`Two messages: ${message} and ${error.message}`)
  return { code: reason, status, message }
}

/** Why an operation failed. */
export function failureOf({ status, error, httpErrorStatusCode, httpErrorMessage }: Message) {
  const [first] = error?.errors ?? []
  return { status, code: first?.code, message: first?.message, http: [httpErrorStatusCode, httpErrorMessage] }
}

/** The names in all zones of an aggregated list. */
export function namesIn({ items }: Message, collection = 'instances'): readonly string[] {
  return Object.values(items as Record<string, Record<string, readonly { name: string }[] | undefined>>).flatMap(
    (scope) => (scope[collection] ?? []).map(({ name }) => name),
  )
}

async function ask(url: string, method: string, { query, body, headers = bearer, signal }: More = {}): Promise<Answer> {
  const answer = await fetch(query ? `${url}?${new URLSearchParams(query).toString()}` : url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(signal && { signal }),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') === true
  return { status: answer.status, text, json: isJson ? (JSON.parse(text) as Message) : {} }
}
