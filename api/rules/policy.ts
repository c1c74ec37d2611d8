import type { InterruptionPolicy, InterruptionPolicySpec } from '../generated/interruption-policy.ts'
import { selects } from './label-selector.ts'
import type { KubeObject } from '../meta.ts'
import type { BackoffTerms } from './backoff-group.ts'
import type { LifetimeTerms } from './interruption/lifetime.ts'
import type { NoticeTerms } from './interruption/notice-acts.ts'

/** The longest time from the cloud's yes to a running instance. */
const startMs = 15 * 60_000
/** The longest time for removal, launch and boot of a replacement. After it the try counts as lost. */
const patienceMs = 5 * 60_000 + startMs

/** The terms of a Machine, from its policy or by default. */
export interface Terms extends BackoffTerms {
  readonly startMs: number
  /** 0: no limit. */
  readonly nodeStartupMs: number
}

const defaults = { initialSeconds: 30, maxSeconds: 1800, minHealthySeconds: 600, nodeStartupSeconds: 600 } as const

/** With the defaults of the CRD, for objects that were written before a field had a default. */
export function termsOf(spec: Partial<InterruptionPolicySpec> = {}): Terms {
  const { initialSeconds = defaults.initialSeconds, maxSeconds = defaults.maxSeconds } = spec.backoff ?? {}
  const { minHealthySeconds, nodeStartupSeconds } = { ...defaults, ...spec }
  return {
    initialMs: initialSeconds * 1000,
    maxMs: Math.max(initialSeconds, maxSeconds) * 1000,
    minHealthyMs: minHealthySeconds * 1000,
    nodeStartupMs: nodeStartupSeconds * 1000,
    startMs,
    patienceMs: patienceMs + nodeStartupSeconds * 1000,
  }
}

/** What a policy says about notices, or the defaults. */
export function noticeTermsOf(spec: Partial<InterruptionPolicySpec> = {}): NoticeTerms {
  const { onNotice = 'DeleteMachine', onRebalance = 'ConditionOnly' } = spec
  const { replacement = 'Ahead', drain = 'AtOnce', heldPods = 'Delete' } = spec
  const { minHealthyMs } = termsOf(spec)
  return { onNotice, onRebalance, replacement, drain, heldPods, maxAhead: spec.maxAhead, minHealthyMs }
}

/** How long a policy lets an instance run. */
export function lifetimeTermsOf(spec: Partial<InterruptionPolicySpec> = {}): LifetimeTerms {
  const { maxLifetimeSeconds } = spec
  const { minHealthyMs } = termsOf(spec)
  return { minHealthyMs, maxLifetimeMs: maxLifetimeSeconds === undefined ? undefined : maxLifetimeSeconds * 1000 }
}

/** The oldest first; with equal times, by name. */
export function byAge(policies: readonly InterruptionPolicy[]): readonly InterruptionPolicy[] {
  const rank = ({ metadata }: InterruptionPolicy) => `${metadata.creationTimestamp ?? ''} ${metadata.name}`
  return policies.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** The first policy that selects the Machine, in the order of `byAge`; undefined without one. */
export function policyFor(
  machine: Pick<KubeObject, 'metadata'>,
  policies: readonly InterruptionPolicy[],
): InterruptionPolicy | undefined {
  return policies.find(({ spec }) => selects(spec.selector, machine.metadata.labels))
}

/** The key of the backoff that the Machines of one policy share. No policy can have the name `no policy`. */
export function policyKeyOf(policy: InterruptionPolicy | undefined): string {
  return policy?.metadata.name ?? 'no policy'
}

/** Whether our health check removes it when it is due. */
export function isManaged(machine: Pick<KubeObject, 'metadata'>, policies: readonly InterruptionPolicy[]): boolean {
  return policyFor(machine, policies)?.spec.healthCheck !== 'None'
}

/** Whether a Machine, or a Machine without labels that may come, needs our health check. */
export function wantsHealthCheck(machines: readonly KubeObject[], policies: readonly InterruptionPolicy[]): boolean {
  return [{ metadata: { name: '' } }, ...machines].some((machine) => isManaged(machine, policies))
}

export interface Overlap {
  readonly machine: string
  readonly older: string
}

/** The first Machine that this policy selects, but that an older policy has. */
export function overlapOf(
  policy: InterruptionPolicy,
  policies: readonly InterruptionPolicy[],
  machines: readonly KubeObject[],
): Overlap | undefined {
  for (const machine of machines) {
    if (!selects(policy.spec.selector, machine.metadata.labels)) continue
    const winner = policyFor(machine, policies)
    if (winner && winner !== policy) return { machine: machine.metadata.name, older: winner.metadata.name }
  }
  return undefined
}
