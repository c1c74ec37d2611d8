import type { InterruptionPolicy, InterruptionPolicySpec } from '../generated/interruption-policy.ts'
import { selects } from '../label-selector.ts'
import type { KubeObject } from '../meta.ts'
import type { BackoffTerms } from './backoff-group.ts'

/** How long an instance may be on its way from the cloud's yes to running. */
const startMs = 15 * 60_000
/** How long removal, launch and boot of a replacement may take before nobody waits for it any more. */
const patienceMs = 5 * 60_000 + startMs

/** What a Machine goes by, whether a policy says it or nobody does. */
export interface Terms extends BackoffTerms {
  readonly startMs: number
  /** 0: for ever. */
  readonly nodeStartupMs: number
}

const defaults = { initialSeconds: 30, maxSeconds: 1800, minHealthySeconds: 600, nodeStartupSeconds: 600 } as const

/** With what the CRD fills in, for objects that were written before a field had a default. */
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

/** The oldest first; of two that are of one second, the first by name. */
export function byAge(policies: readonly InterruptionPolicy[]): readonly InterruptionPolicy[] {
  const rank = ({ metadata }: InterruptionPolicy) => `${metadata.creationTimestamp ?? ''} ${metadata.name}`
  return policies.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** Of policies in the order of `byAge`, the one that a Machine goes by; undefined where none selects it. */
export function policyFor(
  machine: Pick<KubeObject, 'metadata'>,
  policies: readonly InterruptionPolicy[],
): InterruptionPolicy | undefined {
  return policies.find(({ spec }) => selects(spec.selector, machine.metadata.labels))
}

/** The name under which the Machines of one policy share what they remember. No policy has a name like the last one. */
export function policyKeyOf(policy: InterruptionPolicy | undefined): string {
  return policy?.metadata.name ?? 'no policy'
}

/** Whether the health check that removes it when it is due is ours. */
export function isManaged(machine: Pick<KubeObject, 'metadata'>, policies: readonly InterruptionPolicy[]): boolean {
  return policyFor(machine, policies)?.spec.healthCheck !== 'None'
}

/** Kept while it is wanted for a Machine that there is, or for one that nobody has labelled. */
export function wantsHealthCheck(machines: readonly KubeObject[], policies: readonly InterruptionPolicy[]): boolean {
  return [{ metadata: { name: '' } }, ...machines].some((machine) => isManaged(machine, policies))
}

export interface Overlap {
  readonly machine: string
  readonly older: string
}

/** The first Machine that this policy selects and that goes by an older one. */
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
