import type { KubeObject, Resource } from '../../../api/meta.ts'

export const leases: Resource = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
}

/** The spec of a Lease. Times are MicroTimes, kept as text: they are for people, and no decision depends on them. */
export interface LeaseSpec {
  holderIdentity?: string | null
  leaseDurationSeconds?: number | null
  acquireTime?: string | null
  renewTime?: string | null
  leaseTransitions?: number | null
}

export interface LeaseObject extends KubeObject {
  spec?: LeaseSpec
}

/** The writer, the time, and how long others wait after that. */
export interface Claim {
  readonly identity: string
  readonly durationMs: number
  readonly nowMs: number
}

/** The spec by which `identity` takes or keeps the lease. */
export function claimed(before: LeaseSpec | undefined, { identity, durationMs, nowMs }: Claim): LeaseSpec {
  const now = microTime(nowMs)
  const isMine = before?.holderIdentity === identity
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.ceil(durationMs / 1000),
    acquireTime: isMine ? (before.acquireTime ?? now) : now,
    renewTime: now,
    leaseTransitions: (before?.leaseTransitions ?? 0) + (before && !isMine ? 1 : 0),
  }
}

/** A holder that has led for this long has seen the state at its start, and has written down what others must know. */
const settledAfterMs = 10 * 60_000

/** The holder's last renewal. Undefined if it had not led for long before that. */
export function lastRenewal({ acquireTime, renewTime }: LeaseSpec): string | undefined {
  const ledMs = Date.parse(renewTime ?? '') - Date.parse(acquireTime ?? '')
  return ledMs >= settledAfterMs ? (renewTime ?? undefined) : undefined
}

/** The spec of a released lease: nobody has to wait until it expires. */
export function givenBack(nowMs: number): LeaseSpec {
  return { holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTime(nowMs) }
}

/** Whether two identities `<pod>/<random>` name the same pod. An identity without `/` names none. */
export function isOfSamePod(one: string, other: string): boolean {
  const pod = podOf(one)
  return pod !== undefined && pod === podOf(other)
}

function podOf(identity: string): string | undefined {
  const end = identity.lastIndexOf('/')
  return end > 0 ? identity.slice(0, end) : undefined
}

/** How long the holder had led at its last renewal. Undefined if the Lease does not say. */
export function ledForMs({ acquireTime, renewTime }: LeaseSpec): number | undefined {
  const ms = Date.parse(renewTime ?? '') - Date.parse(acquireTime ?? '')
  return Number.isNaN(ms) ? undefined : ms
}

export function renewedAt({ renewTime }: LeaseSpec): number | undefined {
  const ms = Date.parse(renewTime ?? '')
  return Number.isNaN(ms) ? undefined : ms
}

/** RFC 3339 with six digits, as the API server wants a MicroTime. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}
