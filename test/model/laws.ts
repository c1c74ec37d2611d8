import { readAttempt } from '../../api/attempt.ts'
import { findCondition } from '../../api/conditions.ts'
import type { InfraMachine, Machine } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import type { Launch } from '../../providers/instances.ts'
import { replicas } from './core.ts'
import { nowOf, staleLookMs, type Truth, type Witness } from './lying-cloud.ts'
import type { Process } from './process.ts'

const longestPassMs = 60_000
/** Whoever is stopped, cut off and late hears of a Node only so much later. */
const heardOfAfterMs = 200_000
/** After the first failure nobody tries for so long, then for twice as long: as is usual without a policy. */
const firstPauseMs = 30_000
/** How late a look is at most, and then until the next list is there and written. */
const hidesMs = staleLookMs + 25_000

export interface Known {
  /** Infra machines as they stand in etcd. */
  machines(): InfraMachine[]
  alive(): Truth[]
  now(): number
  /** Whether two processes believe that they lead. */
  isSplit(): boolean
  /** Whether a process that stood still has gone on a moment ago. */
  hasJustWoken(): boolean
  /** What that process knows of the machine. */
  shownTo(process: Process, key: string): InfraMachine | undefined
}

/**
 * Watches what is written and what the cloud is asked, and says what must never be:
 * - an instance for a token that no machine had durably written before;
 * - two instances alive for one machine;
 * - a create by somebody who knows that the machine has its instance;
 * - word that an instance is gone which is there, and which lists have shown for longer than looks are late;
 * - an end for what is a stranger's, or for what a machine uses that nobody deletes;
 * - nobody's absence by another account: an instance asked for there, or a machine that goes while its instance lives
 *   where nobody looks;
 * - a machine replaced that never failed, or, while there is no capacity, more of them than the pauses allow.
 */
export class Laws implements Witness {
  readonly broken: string[] = []
  /** Whose attempt carried it last, by token. */
  readonly #machineOf = new Map<string, string>()
  /** When the first handle was written, by uid. */
  readonly #servedAt = new Map<string, number>()
  readonly #providerIDs = new Map<string, string>()
  /** Machines whose attempt a user took away before anybody could see what had come of it. By uid. */
  readonly #excused = new Set<string>()
  /** The same, where whoever asked with it still knows. */
  readonly #bereft = new Set<string>()
  /** By token. */
  readonly #askers = new Map<string, Process>()
  /** Whose instance failed, or could not be had, by uid of the infra machine. */
  readonly #failed = new Set<string>()
  /** Since when an instance is said to be gone, by token. */
  readonly #goneSince = new Map<string, string | undefined>()
  /** When its Node came, by uid of the Machine. */
  readonly #joinedAt = new Map<string, number>()
  #drought: { since: number; until: number; replaced: number } | undefined
  readonly #known: Known

  constructor(known: Known) {
    this.#known = known
  }

  wrote(object: KubeObject | undefined): void {
    if (!object) return
    const machine = object as InfraMachine
    this.#keepsItsName(machine)
    this.#noteFailure(machine)
    const reading = readAttempt(machine)
    if (reading.is !== 'ours') return
    const { token, n } = reading.attempt
    this.#machineOf.set(token, machine.metadata.uid ?? '')
    this.#isTrulyGone(machine, token)
    const uid = machine.metadata.uid ?? ''
    if (reading.attempt.handle !== undefined && !this.#servedAt.has(uid)) this.#servedAt.set(uid, this.#known.now())
    // Of two that ask with one token at the same time one may be refused: that it then goes on, only the lease
    // prevents.
    if (n > 1 && this.#known.isSplit()) this.excuse(machine)
  }

  /** etcd was put back to an older copy: what it does not hold any more has not been. */
  restored(): void {
    this.droughtIsDisturbed()
    for (const machine of this.#known.machines()) {
      const { metadata, spec, status } = machine
      const uid = metadata.uid ?? ''
      const reading = readAttempt(machine)
      if (reading.is === 'ours') this.#goneSince.set(reading.attempt.token, saidGoneAt(status))
      if (spec.providerID === undefined) this.#providerIDs.delete(uid)
      this.#servedAt.delete(uid)
      this.#failed.delete(uid)
    }
    this.#joinedAt.clear()
  }

  /** From now on there is no capacity for so long. */
  droughtBegins(ms: number): void {
    const since = this.#known.now()
    this.#drought = { since, until: Math.max(since + ms, this.#drought?.until ?? 0), replaced: 0 }
  }

  /** Two who lead, or a clock that jumps, may try more often. */
  droughtIsDisturbed(): void {
    this.#drought = undefined
  }

  /** Core removes a Machine because the remediation controller says so. */
  removed({ metadata }: Machine, infra: InfraMachine | undefined): void {
    const joinedAt = this.#joinedAt.get(metadata.uid ?? '') ?? Infinity
    const isKnownToServe = this.#known.now() - joinedAt > heardOfAfterMs
    if (isKnownToServe && !this.#failed.has(infra?.metadata.uid ?? '')) {
      this.broken.push(`${metadata.name} was replaced and had never failed`)
    }
    const ready = findCondition(infra?.status?.conditions, 'Ready')
    if (ready?.reason === 'InsufficientCapacity') this.#isInTurn()
  }

  /** A Machine was written. */
  heard({ metadata: { uid = '' }, status }: Machine): void {
    if (status?.nodeRef && !this.#joinedAt.has(uid)) this.#joinedAt.set(uid, this.#known.now())
  }

  #isInTurn(): void {
    const drought = this.#drought
    const now = this.#known.now()
    if (!drought || now > drought.until) return
    drought.replaced++
    const steps = Math.floor(Math.log2((now - drought.since) / firstPauseMs + 1))
    if (drought.replaced <= steps + replicas) return
    this.broken.push(`${drought.replaced} machines were replaced in ${now - drought.since} ms without capacity`)
  }

  #noteFailure({ status, metadata: { uid = '' } }: InfraMachine): void {
    if (findCondition(status?.conditions, 'Ready')?.status === 'False') this.#failed.add(uid)
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
    // Until it is taken back others may write too.
    if (!isSaidNow) return
    // Before that a late look may be from before the list that showed it; and who stood still looked long ago.
    if (this.#known.hasJustWoken()) return
    const sinceMs = (truth: Truth) => this.#known.now() - (truth.listedAt ?? Infinity)
    const shown = this.#known.alive().find((truth) => sinceMs(truth) > hidesMs && nowOf(truth).tag?.token === token)
    if (shown) this.broken.push(`${metadata.name} says that ${shown.id} is gone, which is alive and was shown`)
  }

  excuse({ metadata }: KubeObject): void {
    this.#excused.add(metadata.uid ?? '')
  }

  /** etcd has forgotten whose it is, and nobody who looks from now on can have seen it. */
  excuseTruth(truth: Truth): void {
    const uid = this.#machineOf.get(nowOf(truth).tag?.token ?? '')
    if (uid !== undefined) this.#excused.add(uid)
  }

  /** Another process than the one that asked may not know what comes of a lost attempt. */
  bereave({ metadata }: KubeObject): void {
    this.#bereft.add(metadata.uid ?? '')
  }

  /** A user took away what led to it. */
  isExcused(truth: Truth): boolean {
    const uid = this.#machineOf.get(nowOf(truth).tag?.token ?? '') ?? ''
    return this.#excused.has(uid) || this.#bereft.has(uid)
  }

  asked(process: Process, { machine, token }: Launch): void {
    this.#askers.set(token, process)
    const shown = this.#known.shownTo(process, machine)
    const reading = shown && readAttempt(shown)
    const knows =
      shown?.spec.providerID !== undefined || (reading?.is === 'ours' && reading.attempt.handle !== undefined)
    const since = this.#servedAt.get(shown?.metadata.uid ?? '') ?? Infinity
    // A pass under way does not look again; with the same token it does no harm.
    if (knows && this.#known.now() - since > longestPassMs) {
      this.broken.push(`${process.name} asked for an instance for ${machine}, of which it knew that it has one`)
    }
  }

  made(truth: Truth): void {
    const token = nowOf(truth).tag?.token ?? ''
    const uid = this.#machineOf.get(token)
    if (uid === undefined) {
      this.broken.push(`${truth.id} was made for ${token}, which no machine had written`)
      return
    }
    if (this.#excused.has(uid)) return
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

  /** An infra machine with this attempt is gone while the credentials are of another account. */
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

/** By its attempt, and where that is lost by its providerID. */
function uses(machine: InfraMachine, truth: Truth): boolean {
  if (machine.metadata.deletionTimestamp !== undefined) return false
  const reading = readAttempt(machine)
  if (reading.is === 'ours' && reading.attempt.token === nowOf(truth).tag?.token) return !reading.attempt.refused
  return machine.spec.providerID?.endsWith(`/${truth.id}`) ?? false
}
