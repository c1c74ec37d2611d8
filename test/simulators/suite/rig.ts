import { expect } from 'vitest'
import type { CloudName } from '../../../api/scope.ts'
import type { FakeClock } from '../../support/fakes/fake-clock.ts'
import type { BucketTableName } from '../kit/bucket-control.ts'
import type { CapacityHole } from '../kit/capacity.ts'
import type { FaultControl } from '../kit/fault-control.ts'
import type { RecordedRequest } from '../kit/journal.ts'
import type { Lag } from '../kit/read-lag.ts'
import type { BootedMachine, NodeRegistrar } from '../kit/nodes.ts'
import type { RecordControl } from '../kit/record-control.ts'
import type { SightControl } from '../kit/sight-control.ts'
import type { ControlAnswer } from './control-call.ts'

/** One cloud for the suite: how to start its simulator, and the cloud's own words. */
export interface SimulatedCloudRig {
  readonly name: CloudName
  readonly words: Words
  readonly start: (options?: RigOptions) => Promise<SimulatorRig>
}

/** The options that every simulator has. */
export interface RigOptions {
  readonly nodes?: NodeRegistrar
  readonly lag?: Lag
  readonly keptRequests?: number
  readonly bootMs?: number
  readonly shutdownMs?: number
}

/** A simulator on a clock that stands still, with the vendor's client in front of it. */
export interface SimulatorRig extends AsyncDisposable {
  readonly clock: FakeClock
  readonly simulator: {
    readonly url: string
    readonly requests: readonly RecordedRequest[]
    readonly control: CommonControl
  }
  /** Makes that the next `count` creations are one call each. */
  prepare(count: number): Promise<void>
  /** Creates a small spot instance, but for what is wished; answers with its id in lists, which control accepts. */
  create(wish?: Wish): Promise<string>
  /** One page of five instances. */
  page(token?: string): Promise<Page>
  /** The state of one instance that is asked for by its id. */
  find(id: string): Promise<string | undefined>
  /** Ends one instance by a call of the API. */
  end(id: string): Promise<void>
  /** Starts a stopped instance by a call of the API. Left out: a spot instance of this cloud cannot be started. */
  restart?(id: string): Promise<void>
  /** What becomes of a creation by the time that the instance would run: the code of the refusal, or undefined. */
  fate(wish?: Wish): Promise<string | undefined>
  /** The ids of all instances, as control knows them. */
  made(): readonly string[]
  /** From now on so many creations, or lists, are let in; answers with the time after which there is one more. */
  limit(what: 'creations' | 'lists', most: number): number
  /** A list by a caller without credentials. */
  listAsNobody(): Promise<RawAnswer>
  /** A list with the usual credentials, as the wire has it. */
  rawList(): Promise<RawAnswer>
  /** How a call was refused; fails when it was not. */
  refusalOf(call: Promise<unknown>): Promise<Refusal>
  /** The machine of the size `gpu` as its kubelet presents it. */
  presented(id: string): BootedMachine
  /** A control call over HTTP. */
  control(path: string, body?: unknown): Promise<ControlAnswer>
}

export interface Wish {
  readonly name?: string
  readonly size?: 'usual' | 'other' | 'gpu'
  readonly zone?: 'home' | 'other'
  readonly market?: 'spot' | 'on-demand'
  /** Undefined and said: none. */
  readonly userData?: string | undefined
  /** Ends the caller. */
  readonly signal?: AbortSignal
}

export interface Page {
  readonly items: readonly { readonly id: string; readonly state: string }[]
  readonly next?: string | undefined
}

export interface RawAnswer {
  readonly status: number
  readonly text: string
}

export interface Refusal extends Told {
  readonly message: string
}

/** What a client can go by when it was refused. */
interface Told {
  readonly code: string
  readonly status: number | undefined
}

/** The switches that every simulator has. */
export interface CommonControl extends FaultControl, RecordControl, SightControl {
  interrupt(id: string, noticeMs?: number): void
  stop(id: string): void
  terminate(id: string): void
  vanish(id: string): void
  noCapacity(hole?: CapacityHole): void
  capacityBack(hole?: CapacityHole): void
  buckets(table: BucketTableName, scale?: number): void
  instances(): readonly { readonly id: string; readonly state: string }[]
  remains(): object
}

/** How a cloud says what every cloud has to say. */
export interface Words {
  /** Its names of the calls that create an instance and list all of them. */
  readonly create: string
  readonly list: string
  /** The status of a creation that is accepted. */
  readonly accepted: number
  /** Too many calls: as a fault, and when a limit was reached. */
  readonly throttled: Told
  readonly limited: Told
  /** Status and code of each of its own faults. */
  readonly serverErrors: readonly string[]
  /** The status that goes with a code. */
  readonly statuses: Readonly<Record<string, number>>
  /** A refusal that a test plays back, with the status that goes with its code. */
  readonly refused: Told
  /** How the client speaks of a connection that ends. */
  readonly cutOff: RegExp
  /** How the client speaks of an answer that came to harm. */
  readonly harmed: Readonly<Record<'cut-body' | 'half-body' | 'garbage' | 'proxy-page', RegExp>>
  /** How a second creation under the same name is refused; left out: it answers with the first instance. */
  readonly repeated?: string
  readonly noCapacity: string
  /** The types of the sizes, and the zones. */
  readonly types: Readonly<Record<'usual' | 'other', string>>
  readonly zones: Readonly<Record<'home' | 'other', string>>
  /** States in lists. Of an instance that has ended, undefined: none is listed. */
  readonly made: string
  readonly running: string
  readonly ending: string
  readonly ended: string | undefined
  readonly interrupted: readonly [going: string, gone: string]
  /** While an interrupted instance has its notice. */
  readonly noticed: string
  /** A GET by the id, too, knows no more than lists do. */
  readonly findsLate: boolean
  /** How a call is refused that knows no more than lists do; left out: no call is so late. */
  readonly unseen?: Told
  /** What the real limits let in when they are scaled so. */
  readonly realCreations: { readonly scale: number; readonly count: number }
  /** The name of a machine whose Node is looked at. */
  readonly worker: string
  /** What control shows of it, interrupted, in this cloud alone. */
  readonly shown: object
  /** Verbs that end a machine, besides those of every simulator. */
  readonly ends: readonly string[]
  /** Verbs after which the kubelet lives on for a while. */
  readonly lingers: readonly string[]
  /** Verbs and views that only this simulator has. */
  readonly verbs: readonly string[]
  readonly views: readonly string[]
  /** A field of its verb `invisible` that is true or false. */
  readonly truth: string
  /** The field by which its verbs name a reservation. */
  readonly reservationKey?: string
  /** What its own verbs refuse: what it is, the verb, the fields, and the sentence. */
  readonly refusedSwitches: readonly (readonly [what: string, verb: string, body: object, sentence: string])[]
}

/** All pages of the list, by ids. Fails when there is no end of them. */
export async function pagesOf(rig: SimulatorRig, between: (ids: readonly string[]) => void = () => {}) {
  const seen: (readonly string[])[] = []
  let next: string | undefined
  do {
    const page: Page = await rig.page(next)
    const ids = page.items.map(({ id }) => id)
    seen.push(ids)
    between(ids)
    next = page.next
  } while (next !== undefined && seen.length < 30)
  expect(next, 'the last page leads no further').toBeUndefined()
  return seen
}

/** The states of all listed instances. */
export async function statesOf(rig: SimulatorRig): Promise<readonly string[]> {
  return (await rig.page()).items.map(({ state }) => state)
}

export async function createMany(rig: SimulatorRig, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  // Names in the order of the alphabet: one cloud lists by name.
  for (let at = 0; at < count; at++) ids.push(await rig.create({ name: `many-${String(at).padStart(2, '0')}` }))
  return ids
}

/** What a second creation under the same name comes to: the id of the first, or the code of the refusal. */
export async function createAgain(rig: SimulatorRig, name: string): Promise<string> {
  const call = rig.create({ name })
  return call.catch(async () => (await rig.refusalOf(call)).code)
}

export async function createRunning(rig: SimulatorRig, wish?: Wish): Promise<string> {
  const id = await rig.create(wish)
  await rig.clock.advance(2000)
  return id
}

/** How a call ended, in all the words of its client. The call may fail before anybody waits for it. */
export async function endOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'answered'
  } catch (error) {
    return sentenceOf(error)
  }
}

function sentenceOf(error: unknown): string {
  const { name, code, status, statusCode, statusText, message, $metadata } = error as Error & ClientError
  return [name, code, status, statusCode, $metadata?.httpStatusCode, statusText, message].join(' ')
}

/** Where clients put what they were told. */
interface ClientError {
  readonly code?: unknown
  readonly status?: number
  readonly statusCode?: number
  readonly statusText?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}
