import type { InfraMachine } from '../../machine.ts'

/** How long a policy lets an instance run. */
export interface LifetimeTerms {
  /** Undefined: for ever. */
  readonly maxLifetimeMs: number | undefined
  /** No younger instance is replaced as planned. */
  readonly minHealthyMs: number
}

export interface LifetimeFacts {
  /** `namespace/name` of the Machine. */
  readonly key: string
  readonly infra: InfraMachine
  /** Since when the instance runs. */
  readonly runningSince: number
  readonly terms: LifetimeTerms
}

/** The end of a long life. */
export interface Lifetime {
  /** From then on the Machine is to be replaced. */
  readonly dueAt: number
  /** When the cloud ends the instance. Undefined: it does not. */
  readonly deadline: number | undefined
}

const hourMs = 60 * 60_000
/** GCE ends a preemptible instance after a day. Before that, Machines that began together have two hours to part. */
const preemptible = { endsAfterMs: 24 * hourMs, dueFromMs: 21.5 * hourMs, spreadMs: 2 * hourMs } as const
/** The part of a policy's time over which Machines that began together part. */
const spread = 0.1

/** Undefined: nothing limits the life of its instance. */
export function lifetimeOf({ key, infra, runningSince, terms }: LifetimeFacts): Lifetime | undefined {
  const { maxLifetimeMs, minHealthyMs } = terms
  const place = placeOf(key)
  const ofCloud = isPreemptible(infra) ? preemptible.dueFromMs + place * preemptible.spreadMs : Infinity
  const ofPolicy = maxLifetimeMs === undefined ? Infinity : maxLifetimeMs * (1 - spread * place)
  const dueAfterMs = Math.max(minHealthyMs, Math.min(ofCloud, ofPolicy))
  if (dueAfterMs === Infinity) return undefined
  const deadline = isPreemptible(infra) ? runningSince + preemptible.endsAfterMs : undefined
  return { dueAt: runningSince + Math.ceil(dueAfterMs), deadline }
}

/** Whether the life of such an instance has an end. */
export function isMortal(infra: InfraMachine | undefined, { maxLifetimeMs }: LifetimeTerms): boolean {
  return infra !== undefined && (maxLifetimeMs !== undefined || isPreemptible(infra))
}

/** GCE alone has the field. */
function isPreemptible({ spec }: InfraMachine): boolean {
  return spec['preemptible'] === true
}

/** FNV-1a, and then the last step of MurmurHash3, because the names of siblings differ in their last letters only. */
function placeOf(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
