/**
 * What a cloud's refusal means to us. Each cloud has one table from its codes to these kinds (`<cloud>/errors.ts`);
 * the loop has one table from a kind to what it does (`controllers/machine/launch/on-error.ts`).
 */
export type RefusalKind =
  /** This offering (type, zone, capacity type) is not to be had now. */
  | 'capacity'
  /** The account may have no more of this class. */
  | 'quota'
  /** The spot price is above the maximum that was set. */
  | 'price'
  /** The subnet has no free address. */
  | 'subnet'
  /** The capacity reservation is empty, ended or unknown. */
  | 'reservation'
  /** Too many calls: the bucket pauses for all callers. */
  | 'throttled'
  /** The cloud failed; nothing was done. */
  | 'transient'
  /** No answer, or one that leaves open whether it was done. Only the same token may follow. */
  | 'ambiguous'
  /** Credentials or permissions. A person has to act; the machine is not at fault. */
  | 'denied'
  /** The request can never succeed as it is. */
  | 'invalid'
  /** The name or the token is taken. */
  | 'conflict'
  /** What the token made has ended and is shown no more: nothing else can come of it. */
  | 'ended'
  /** There is no such thing (any more, or not yet visible). */
  | 'missing'
