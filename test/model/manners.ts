/** The behaviour of the cloud. A story changes it. */
export interface Manners {
  /** The delay until new instances are shown. */
  hiddenForMs: number
  /** The age of reads, until this time. */
  stale: { byMs: number; until: number }
  /** Lists are incomplete and say so, until this time. */
  partialUntil: number
  /** Of a launch that it refuses at once, it keeps an interface. */
  leavesParts?: boolean
  /** It accepts a launch first, and starts it later. */
  acceptsFirst: boolean
  /** The next launch is accepted and then refused. */
  doomsNext: boolean
  /** There is no capacity until this time. */
  dryUntil: number
  /** The same, by pool. */
  dryPools: ReadonlyMap<string, number>
  /** It ends nothing until this time, and answers 'later'. */
  holdsOnUntil: number
  /** One instance for one token, however often it is requested. */
  honoursTokens: boolean
  /** The time for which ended instances are shown. */
  remembersForMs: number
}

/** All faults off. */
export function calmManners(): Omit<Manners, 'acceptsFirst' | 'honoursTokens' | 'remembersForMs'> {
  return {
    hiddenForMs: 0,
    stale: { byMs: 0, until: 0 },
    partialUntil: 0,
    dryUntil: 0,
    dryPools: new Map(),
    holdsOnUntil: 0,
    doomsNext: false,
  }
}
