import { readAttempt } from '../../../api/attempt.ts'
import { readInterruption } from '../../../api/interruption.ts'
import type { InterruptionPolicySpec } from '../../../api/generated/interruption-policy.ts'
import { requests } from '../../../api/labels.ts'
import { isHooked } from '../../../api/rules/interruption/interrupted-machine.ts'
import { machines } from '../../../api/kinds.ts'
import type { Machine } from '../../../api/machine.ts'
import type { Resource } from '../../../api/meta.ts'
import { plannedAhead } from '../../../controllers/interruption/planned/owner-keys.ts'
import { keyOf, type ObjectRef } from '../../../controllers/runtime/client/resource.ts'
import type { FakeApiserver } from '../../support/fakes/fake-apiserver.ts'
import type { Core } from '../core.ts'

type Spec = Partial<InterruptionPolicySpec>

/** Then a process has heard of a policy, and everything that it had begun before is written. */
const heardOfAfterMs = 150_000

interface Known {
  readonly apiserver: FakeApiserver
  readonly now: () => number
  /** Two processes act, or one that has slept acts on what it knew before. */
  readonly isDisturbed: () => boolean
  readonly core: () => Core
  readonly broken: string[]
}

/**
 * What must never happen because of a notice:
 * - the manager deletes a Machine, and nobody has announced the end of the instance that it has at that time;
 * - a living Machine is not counted by the MachineSet that made it;
 * - a MachineSet makes a replacement ahead of a Machine whose end nobody has announced;
 * - a planned replacement begins that no policy asks for, or beside another planned one;
 * - more Machines have a replacement ahead than the policy allows.
 */
export class InterruptionLaws {
  readonly #known: Known
  /** Instances whose end was announced. A notice that is taken back may have been acted on before. */
  readonly #announced = new Set<string>()
  /** Instances that were recommended to be replaced. */
  readonly #recommended = new Set<string>()
  /** Machines whose replacement has begun, by uid. */
  readonly #begun = new Set<string>()
  /** Every policy since the beginning, with the time from which it held. */
  readonly #policies: { readonly since: number; readonly spec: Spec }[] = [{ since: 0, spec: {} }]
  /** What came of all notices: a law about what never happens says nothing. */
  readonly seen = { deleted: 0, ahead: 0, planned: 0 }
  /** Machines that waited at our hook, by uid. */
  readonly hooked = new Set<string>()
  /** Machines of which a user has asked for a fire drill, by uid. */
  readonly #rehearsed = new Set<string>()

  constructor(known: Known) {
    this.#known = known
  }

  announced(instance: string): void {
    this.#announced.add(instance)
  }

  recommended(instance: string): void {
    this.#recommended.add(instance)
  }

  /** The policy of the MachineSets says this from now on. */
  policySays(spec: Spec = {}): void {
    this.#policies.push({ since: this.#known.now(), spec })
  }

  /** A Machine was written. */
  heard(machine: Machine): void {
    this.#begins(machine)
    const { uid = '', annotations = {}, name } = machine.metadata
    if (requests.rehearse in annotations) this.#rehearsed.add(uid)
    if (isHooked(machine) && readInterruption(machine).is === 'ours') this.hooked.add(uid)
    if (this.#known.core().sets.isDisowned(machine))
      this.#known.broken.push(`${name} lives, and its MachineSet does not count it`)
  }

  /** Its replacement ahead may just have been decided. */
  #begins(machine: Machine): void {
    const { uid = '', name } = machine.metadata
    const planned = plannedAhead(machine)
    if (planned === undefined || this.#begun.has(uid)) return
    this.#begun.add(uid)
    if (planned) this.seen.planned++
    if (this.#known.isDisturbed()) return
    const others = this.#ahead().filter((other) => other.metadata.uid !== uid)
    const policies = this.#recentPolicies()
    const most = Math.max(...policies.map(({ maxAhead = Infinity }) => maxAhead))
    const { broken } = this.#known
    if (others.length >= most) broken.push(`${name} is the one too many that are replaced ahead: ${most} may be`)
    if (!planned) return
    if (others.some((other) => plannedAhead(other))) broken.push(`${name} is replaced as planned beside another one`)
    if (!this.#isAsked(machine, policies)) broken.push(`${name} is replaced as planned, and nobody has asked for it`)
  }

  /** The Machines of the MachineDeployment that have a replacement beside them. */
  #ahead(): Machine[] {
    const { objects } = this.#known.apiserver
    const machines = [...objects].filter(([key]) => key.startsWith('Machine default/')).map(([, object]) => object)
    return (machines as unknown as Machine[]).filter((machine) => plannedAhead(machine) !== undefined)
  }

  #recentPolicies(): Spec[] {
    const from = this.#known.now() - heardOfAfterMs
    const isRecent = (_: unknown, n: number) => (this.#policies[n + 1]?.since ?? Infinity) >= from
    return this.#policies.filter(isRecent).map(({ spec }) => spec)
  }

  #isAsked(machine: Machine, policies: readonly Spec[]): boolean {
    const reading = readInterruption(machine)
    if (reading.is !== 'ours') return false
    const { kind, instance } = reading.interruption
    if (kind === 'Lifetime') return policies.some(({ maxLifetimeSeconds }) => maxLifetimeSeconds !== undefined)
    return this.#recommended.has(instance) && policies.some(({ onRebalance }) => onRebalance === 'Replace')
  }

  /** The request of a process to delete a Machine has arrived. */
  deletes({ kind }: Resource, { namespace, name }: ObjectRef, { uid }: { readonly uid?: string | undefined }): void {
    if (kind !== machines.kind) return
    const key = `${namespace}/${name}`
    const machine = this.#known.apiserver.get('Machine', key) as Machine | undefined
    const isMeant = machine !== undefined && (uid === undefined || uid === machine.metadata.uid)
    if (!isMeant || machine.metadata.deletionTimestamp !== undefined) return
    this.seen.deleted++
    if (this.isNoticed(machine)) return
    this.#known.broken.push(
      `${key} is deleted, and nobody has announced the end of its instance ${this.#instanceOf(machine)}`,
    )
  }

  /** A MachineSet makes a Machine, and these that it made are there and do not count. */
  replacesAhead(uncounted: readonly Machine[]): void {
    if (uncounted.length > 0) this.seen.ahead++
    for (const machine of uncounted) {
      if (this.isNoticed(machine)) continue
      this.#known.broken.push(`${keyOf(machine)} is replaced ahead, and nobody has announced the end of its instance`)
    }
  }

  /** The end of the instance that the Machine has now was announced. */
  isNoticed(machine: Machine): boolean {
    const { uid = '' } = machine.metadata
    const isPlanned = this.#begun.has(uid) && plannedAhead(machine) === true
    return isPlanned || this.#rehearsed.has(uid) || this.#announced.has(this.#instanceOf(machine) ?? '')
  }

  /** Without an infra machine only the decision knows it. */
  #instanceOf(machine: Machine): string | undefined {
    const infra = this.#known.core().infraOf(machine)
    const attempt = infra && readAttempt(infra)
    if (infra) return attempt?.is === 'ours' ? attempt.attempt.handle : undefined
    const decision = readInterruption(machine)
    return decision.is === 'ours' ? decision.interruption.instance : undefined
  }
}
