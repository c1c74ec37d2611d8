import { readAttempt } from '../../api/attempt.ts'
import { findCondition } from '../../api/conditions.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import { readInterruption } from '../../api/interruption.ts'
import type { KubeObject } from '../../api/meta.ts'
import type { Launch } from '../../providers/instances.ts'
import { staleLookMs, type Witness } from './lying-cloud.ts'
import { nowOf, type Truth } from './truth.ts'
import { keyOf } from '../../controllers/runtime/client/resource.ts'
import { PauseLaw } from './pause-law.ts'
import { NextTokenLaw } from './pools/next-token-law.ts'
import { poolIn } from './pools/pools.ts'
import type { Process } from './process.ts'
import { ReplacementLaw } from './replacement-law.ts'

const longestPassMs = 60_000
/** The largest delay of a read, and then the time until the next list is there and written. */
const hidesMs = staleLookMs + 25_000

export interface Known {
  /** Infra machines as they stand in etcd. */
  machines(): InfraMachine[]
  alive(): Truth[]
  now(): number
  /** Whether two processes believe that they lead. */
  isSplit(): boolean
  /** Whether a stopped process has continued a moment ago. */
  hasJustWoken(): boolean
  /** The machine in the cache of that process. */
  shownTo(process: Process, key: string): InfraMachine | undefined
  /** Without fallback. */
  readonly areStrict: boolean
  /** The end of its instance was announced. */
  readonly isNoticed: (machine: Machine) => boolean
}

/**
 * Watches writes and calls to the cloud, and reports what must never happen:
 * - an instance for a token that no machine had durably written before;
 * - two living instances for one machine;
 * - a create by a process that knows the machine's instance;
 * - a report that an instance is gone, while it exists and lists have shown it for longer than reads are late;
 * - the end of a stranger, or of an instance that a machine without deletion uses;
 * - a conclusion from another account: an instance requested there, or a machine that goes while its instance lives
 *   elsewhere;
 * - the replacement of a machine that never failed, or of more machines than the pauses allow while there is no
 *   capacity;
 * - a create call in a pause of what it asks for;
 * - a machine's next token before its last one is settled;
 * - a create call that asks with one token for something else than before.
 */
export class Laws implements Witness {
  readonly broken: string[] = []
  /** The machine whose attempt had it last, by token. */
  readonly #machineOf = new Map<string, string>()
  /** When the first handle was written, by uid. */
  readonly #servedAt = new Map<string, number>()
  readonly #providerIDs = new Map<string, string>()
  /** Machines whose attempt a user removed before its result was visible. By uid. */
  readonly #excused = new Set<string>()
  /** The same, if the process that used it still knows it. */
  readonly #bereft = new Set<string>()
  /** What was first requested, by token. */
  readonly #places = new Map<string, string>()
  /** By token. */
  readonly #askers = new Map<string, Process>()
  /** The time since an instance is reported as gone, by token. */
  readonly #goneSince = new Map<string, string | undefined>()
  readonly #known: Known
  readonly #pauses: PauseLaw
  readonly #nextTokens: NextTokenLaw
  readonly #replacements: ReplacementLaw

  constructor(known: Known) {
    this.#known = known
    this.#replacements = new ReplacementLaw(this.broken, () => known.now(), known.isNoticed)
    this.#pauses = new PauseLaw(this.broken, () => known.now(), known.areStrict)
    const isAlive = (token: string) => known.alive().some((truth) => nowOf(truth).tag?.token === token)
    this.#nextTokens = new NextTokenLaw(this.broken, isAlive)
  }

  /** How many attempts followed a refusal. */
  get nextAttempts(): Pick<NextTokenLaw, 'wentOn' | 'left'> {
    return this.#nextTokens
  }

  wrote(object: KubeObject | undefined): void {
    if (!object) return
    const machine = object as InfraMachine
    this.#keepsItsName(machine)
    this.#replacements.wrote(machine)
    const reading = readAttempt(machine)
    if (reading.is !== 'ours') return
    const { token, n } = reading.attempt
    this.#machineOf.set(token, machine.metadata.uid ?? '')
    this.#isTrulyGone(machine, token)
    const uid = machine.metadata.uid ?? ''
    if (reading.attempt.handle !== undefined && !this.#servedAt.has(uid)) this.#servedAt.set(uid, this.#known.now())
    // Of two calls with one token at the same time one may be refused. Only the lease prevents that the refused one
    // goes on.
    if (n > 1 && this.#known.isSplit()) this.excuse(machine)
    if (!this.#excused.has(uid) && !this.#bereft.has(uid)) this.#nextTokens.wrote(uid, reading.attempt)
  }

  /** etcd was restored to an older copy: objects that it does not have never existed. */
  restored(): void {
    this.droughtIsDisturbed()
    this.#nextTokens.restored()
    for (const machine of this.#known.machines()) {
      const { metadata, spec, status } = machine
      const uid = metadata.uid ?? ''
      const reading = readAttempt(machine)
      if (reading.is === 'ours') this.#goneSince.set(reading.attempt.token, saidGoneAt(status))
      if (spec.providerID === undefined) this.#providerIDs.delete(uid)
      this.#servedAt.delete(uid)
    }
    this.#replacements.restored(this.#known.machines().map(({ metadata }) => metadata.uid ?? ''))
  }

  /** From now on there is no capacity for this time, or none of these. */
  droughtBegins(ms: number, pools?: readonly string[]): void {
    if (!pools) this.#replacements.droughtBegins(ms)
    this.#pauses.droughtBegins(this.#known.now() + ms, pools)
  }

  /** Two leaders, or a clock that jumps, may try more often. */
  droughtIsDisturbed(): void {
    this.#replacements.droughtIsDisturbed()
    this.#pauses.disturbed()
  }

  /** Core removes a Machine that the remediation controller has marked. */
  removed(machine: Machine, infra: InfraMachine | undefined): void {
    this.#replacements.removed(machine, infra)
  }

  /** A Machine was written. */
  heard(machine: Machine): void {
    this.#pauses.made(keyOf(machine))
    const reading = readInterruption(machine)
    if (reading.is === 'ours' && reading.interruption.act === 'Remediate') this.#pauses.taken()
    this.#replacements.heard(machine)
  }

  #keepsItsName({ spec: { providerID }, metadata: { name, uid = '' } }: InfraMachine): void {
    const named = this.#providerIDs.get(uid)
    if (named !== undefined && named !== providerID) {
      this.broken.push(`The providerID of ${name} changed from ${named} to ${providerID}`)
    }
    if (providerID !== undefined) this.#providerIDs.set(uid, providerID)
  }

  #isTrulyGone({ status, metadata }: InfraMachine, token: string): void {
    const since = saidGoneAt(status)
    const isSaidNow = since !== undefined && this.#goneSince.get(token) !== since
    this.#goneSince.set(token, since)
    // Until the removal others may write too.
    if (!isSaidNow) return
    // Before that a late read may be older than the list that showed it. A stopped process has read long ago.
    if (this.#known.hasJustWoken()) return
    const sinceMs = (truth: Truth) => this.#known.now() - (truth.listedAt ?? Infinity)
    const shown = this.#known.alive().find((truth) => sinceMs(truth) > hidesMs && nowOf(truth).tag?.token === token)
    if (shown) this.broken.push(`${metadata.name} says that ${shown.id} is gone, which is alive and was shown`)
  }

  excuse({ metadata }: KubeObject): void {
    this.#excused.add(metadata.uid ?? '')
    this.#nextTokens.forget(metadata.uid ?? '')
  }

  /** etcd has forgotten its machine, and no process that starts now can have seen it. */
  excuseTruth(truth: Truth): void {
    const uid = this.#machineOf.get(nowOf(truth).tag?.token ?? '')
    if (uid !== undefined) this.#excused.add(uid)
  }

  /** Only the process that called can know the result of a lost attempt. */
  bereave({ metadata }: KubeObject): void {
    this.#bereft.add(metadata.uid ?? '')
    this.#nextTokens.forget(metadata.uid ?? '')
  }

  /** A user removed the object that led to it. */
  isExcused(truth: Truth): boolean {
    const uid = this.#machineOf.get(nowOf(truth).tag?.token ?? '') ?? ''
    return this.#excused.has(uid) || this.#bereft.has(uid)
  }

  asked(process: Process, want: Launch): void {
    const { machine, token } = want
    this.#askers.set(token, process)
    this.#pauses.asked(process, machine, poolIn(want))
    this.#asksForTheSame(process, want)
    const shown = this.#known.shownTo(process, machine)
    const reading = shown && readAttempt(shown)
    const knows =
      shown?.spec.providerID !== undefined || (reading?.is === 'ours' && reading.attempt.handle !== undefined)
    const since = this.#servedAt.get(shown?.metadata.uid ?? '') ?? Infinity
    // A pass under way does not read again. With the same token it does no harm.
    if (knows && this.#known.now() - since > longestPassMs) {
      this.broken.push(`${process.name} asked for an instance for ${machine}, of which it knew that it has one`)
    }
  }

  #asksForTheSame(process: Process, { token, request }: Launch): void {
    const asked = JSON.stringify(request)
    const before = this.#places.get(token) ?? asked
    this.#places.set(token, before)
    if (asked !== before) this.broken.push(`${process.name} asked with ${token} for ${asked}, and before for ${before}`)
  }

  refused(process: Process, want: Launch): void {
    this.#pauses.refused(process, want.machine, poolIn(want))
  }

  taken(): void {
    this.#pauses.taken()
  }

  /** Each policy has its own pauses, and those of a paused Cluster are forgotten. */
  pausesAreDisturbed(): void {
    this.#pauses.disturbed()
  }

  machineGone(key: string): void {
    this.#pauses.gone(key)
  }

  made(truth: Truth): void {
    const token = nowOf(truth).tag?.token ?? ''
    const uid = this.#machineOf.get(token)
    if (uid === undefined) {
      this.broken.push(`${truth.id} was made for ${token}, which no machine had written`)
      return
    }
    if (this.#excused.has(uid)) return
    this.#nextTokens.made(uid, token)
    for (const other of this.#known.alive()) {
      const before = nowOf(other).tag?.token ?? ''
      if (other === truth || this.#machineOf.get(before) !== uid) continue
      if (this.#bereft.has(uid) && this.#askers.get(before) !== this.#askers.get(token)) continue
      this.broken.push(`${truth.id} (${token}) was made while ${other.id} was alive, both for machine ${uid}`)
    }
  }

  madeElsewhere({ machine }: Launch): void {
    this.broken.push(`An instance for ${machine} was asked for in another account`)
  }

  /** An infra machine with this attempt went while the credentials belonged to another account. */
  wentUnseen(key: string, token: string | undefined): void {
    const left = this.#known.alive().find((truth) => nowOf(truth).tag?.token === token)
    if (left) this.broken.push(`${key} went although ${left.id} is alive, in an account in which nobody looked`)
  }

  ending(truth: Truth): void {
    if (truth.isStranger) this.broken.push(`${truth.id} is a stranger's and was to be ended`)
    const user = this.#known.machines().find((machine) => uses(machine, truth))
    if (user) this.broken.push(`${truth.id} was ended although ${user.metadata.name} uses it`)
  }
}

function saidGoneAt(status: InfraMachine['status']): string | undefined {
  const ready = findCondition(status?.conditions, 'Ready')
  return ready?.reason === 'InstanceGone' ? ready.lastTransitionTime : undefined
}

/** By its attempt, and without that by its providerID. */
function uses(machine: InfraMachine, truth: Truth): boolean {
  if (machine.metadata.deletionTimestamp !== undefined) return false
  const reading = readAttempt(machine)
  if (reading.is === 'ours' && reading.attempt.token === nowOf(truth).tag?.token) return !reading.attempt.refused
  return machine.spec.providerID?.endsWith(`/${truth.id}`) ?? false
}
