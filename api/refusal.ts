import type { MachineReason } from './reasons.ts'

/**
 * The kinds of refusal, the same for all clouds. Each cloud has one table from its codes to these kinds
 * (`<cloud>/wire/errors.ts`). The consequences of a kind stand in `refusals` below, and nowhere else.
 */
export type RefusalKind =
  /** This offering (type, zone, capacity type) is not to be had now. */
  | 'capacity'
  /** The spot price is above the maximum that was set. */
  | 'price'
  /** The account may have no more of this class. */
  | 'quota'
  /** The subnet has no free address. */
  | 'subnet'
  /** The capacity reservation is empty, ended or unknown. */
  | 'reservation'
  /** The request can never succeed as it is. */
  | 'invalid'
  /** The instance of this token has ended and is shown no more. The token can make no other. */
  | 'ended'
  /** Too many calls: the bucket pauses for all callers. */
  | 'throttled'
  /** The cloud failed; nothing was done. */
  | 'transient'
  /** No answer, or one that leaves open whether it was done. Only the same token may follow. */
  | 'ambiguous'
  /** There is no such thing (any more, or not yet visible). */
  | 'missing'
  /** Credentials or permissions. A person has to act; the machine is not at fault. */
  | 'denied'
  /** The name or the token is taken. */
  | 'conflict'

export type RefusalAction =
  /** A definite no: the machine fails once, and nothing more is asked for it. */
  | { readonly do: 'fail' }
  /** The same token again, after a pause that grows with every failure. */
  | { readonly do: 'retry'; readonly reason: WaitingReason }
  /** A person has to act. The same token again after a long pause. */
  | { readonly do: 'hold'; readonly reason: WaitingReason; readonly afterMs: number }

/** The reason of `Ready` while a launch waits for a cloud or for a person. */
export type WaitingReason = Extract<
  MachineReason,
  'Launching' | 'CloudUnavailable' | 'CredentialsDenied' | 'OwnershipConflict'
>

/** Machines that share this wait for each other after a refusal. */
export type BackoffScope = 'offering' | 'price' | 'quota' | 'launch'

export interface Refusal {
  /** After a refused create call. After the cloud's yes a machine fails with every kind: its token is spent. */
  readonly action: RefusalAction
  /** The reason of `Ready` of a machine that failed with it. */
  readonly failsWith: MachineReason
  /** Nobody knows what came of the call. A call of any other kind has made nothing. */
  readonly leavesOpen: boolean
  readonly sharesBackoff: BackoffScope
  /** Another request has a chance only without this. */
  readonly excludes: 'subnet' | 'offering' | 'capacityType' | 'reservation' | 'everything' | 'nothing'
}

const minutes = 60_000
const fail = { action: { do: 'fail' }, leavesOpen: false } as const
/** The cloud has not said what was wrong. So machines of the same template wait for each other. */
const unexplained = { failsWith: 'LaunchFailed', sharesBackoff: 'launch' } as const

/** THE table: the consequences of a refusal. The loop, the rules, the metrics, the docs and the adapters read it. */
export const refusals: Readonly<Record<RefusalKind, Refusal>> = {
  capacity: { ...fail, failsWith: 'InsufficientCapacity', sharesBackoff: 'offering', excludes: 'offering' },
  price: { ...fail, failsWith: 'MaxPriceTooLow', sharesBackoff: 'price', excludes: 'offering' },
  quota: { ...fail, failsWith: 'QuotaExceeded', sharesBackoff: 'quota', excludes: 'capacityType' },
  subnet: { ...fail, failsWith: 'SubnetFull', sharesBackoff: 'launch', excludes: 'subnet' },
  reservation: { ...fail, failsWith: 'ReservationUnavailable', sharesBackoff: 'launch', excludes: 'reservation' },
  invalid: { ...fail, failsWith: 'InvalidConfiguration', sharesBackoff: 'launch', excludes: 'everything' },
  ended: { ...fail, ...unexplained, excludes: 'nothing' },
  throttled: {
    ...unexplained,
    action: { do: 'retry', reason: 'Launching' },
    leavesOpen: false,
    excludes: 'nothing',
  },
  transient: {
    ...unexplained,
    action: { do: 'retry', reason: 'CloudUnavailable' },
    leavesOpen: false,
    excludes: 'nothing',
  },
  ambiguous: {
    ...unexplained,
    action: { do: 'retry', reason: 'CloudUnavailable' },
    leavesOpen: true,
    excludes: 'nothing',
  },
  missing: {
    ...unexplained,
    action: { do: 'retry', reason: 'CloudUnavailable' },
    leavesOpen: false,
    excludes: 'nothing',
  },
  denied: {
    ...unexplained,
    action: { do: 'hold', reason: 'CredentialsDenied', afterMs: 5 * minutes },
    leavesOpen: false,
    excludes: 'everything',
  },
  // An instance of an earlier call of ours may have the name or the token.
  conflict: {
    ...unexplained,
    action: { do: 'hold', reason: 'OwnershipConflict', afterMs: 1 * minutes },
    leavesOpen: true,
    excludes: 'nothing',
  },
}

export const refusalKinds = Object.keys(refusals) as readonly RefusalKind[]

/** Whether the machine fails for good when its create call is refused so. Then adapters leave nothing behind. */
export function isDefinite(kind: RefusalKind): boolean {
  return refusals[kind].action.do === 'fail'
}

/**
 * The kind that an attempt names. A newer version may have kinds that this one does not know, and tenants may write
 * anything: then the machine failed, and the cloud has not said what was wrong.
 */
export function refusalKindOf(text: string): RefusalKind {
  return Object.hasOwn(refusals, text) ? (text as RefusalKind) : 'transient'
}
