import type { CloudName } from '../../../api/scope.ts'
import type { FakeClock } from '../../support/fakes/fake-clock.ts'
import type { BucketTableName } from '../kit/control/bucket-control.ts'
import type { CapacityHole } from '../kit/supply/capacity.ts'
import type { FaultControl } from '../kit/control/fault-control.ts'
import type { RecordedRequest } from '../kit/http/journal.ts'
import type { Lag } from '../kit/instances/read-lag.ts'
import type { BootedMachine, NodeRegistrar } from '../kit/instances/nodes.ts'
import type { RecordControl } from '../kit/control/record-control.ts'
import type { SightControl } from '../kit/control/sight-control.ts'
import type { ControlAnswer } from './control-call.ts'
import type { Told, Words } from './words.ts'

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
  /** Prepares `count` creations so that each is one call. */
  prepare(count: number): Promise<void>
  /** Creates a small spot instance, or what is wished. Answers with the id that lists show and control accepts. */
  create(wish?: Wish): Promise<string>
  /** One page of five instances. */
  page(token?: string): Promise<Page>
  /** The state of one instance that is asked for by its id. */
  find(id: string): Promise<string | undefined>
  /** Ends one instance by a call of the API. */
  end(id: string): Promise<void>
  /** Starts a stopped instance by a call of the API. Left out: a spot instance of this cloud cannot be started. */
  restart?(id: string): Promise<void>
  /** What becomes of a creation until the instance would run: the code of the refusal, or undefined. */
  fate(wish?: Wish): Promise<string | undefined>
  /** The ids of all instances, as control knows them. */
  made(): readonly string[]
  /** From now on so many creations, or lists, are let in. Answers with the milliseconds until there is one more. */
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
  /** Given as undefined: no user data. Left out: the usual. */
  readonly userData?: string | undefined
  /** When it fires, the caller goes away. */
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
