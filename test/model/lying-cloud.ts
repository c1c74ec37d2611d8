import { subnetUnseen, refuseOtherAccount } from '../../providers/shared/account.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { TerminateResult, InstancePage, InstanceRef, Instances, Launch } from '../../providers/instances.ts'
import type { Instance } from '../../api/instance.ts'
import type { Scope } from '../../api/scope.ts'
import { isOwnedBy } from '../../api/ownership.ts'
import { tagOf } from '../../providers/shared/ownership.ts'
import { fakeScope } from '../support/fakes/fake-cloud.ts'
import type { Offering } from '../../api/offering.ts'
import { offeringIn, poolIn } from './pools/pools.ts'
import type { Manners } from './manners.ts'
import { epoch, type Process } from './process.ts'
import { isAlive, nowOf, type Truth } from './truth.ts'
import type { Wire } from './wire.ts'
import type { WorldClock } from './world-clock.ts'

export interface Witness {
  /** A process requests an instance. */
  asked(process: Process, want: Launch): void
  /** It hears that there is no capacity. */
  refused(process: Process, want: Launch): void
  made(truth: Truth): void
  /** The cloud takes one back. */
  taken(): void
  /** A process terminates this one. */
  ending(truth: Truth): void
  /** An instance was requested in an account where nobody wants one. */
  madeElsewhere(want: Launch): void
}

/** A direct read is less late than lists are, but may be too late for an instance that a list has just shown. */
export const staleLookMs = 25_000
const startMs = 4_000
const bootMs = 10_000
const endMs = 6_000

/** A cloud that keeps the promises of `providers/instances.ts`, and no others. */
export class LyingCloud {
  readonly manners: Manners
  /** The account of the present credentials. Another one has nothing of ours, not even a subnet. */
  account: string = fakeScope.account
  readonly #clock: WorldClock
  readonly #wire: Wire
  readonly #witness: Witness
  readonly #truths = new Map<string, Truth>()
  /** Interfaces of launches that were refused at once. */
  readonly #parts = new Set<Truth>()

  constructor(parts: { clock: WorldClock; wire: Wire; witness: Witness }, manners: Manners) {
    this.#clock = parts.clock
    this.#wire = parts.wire
    this.#witness = parts.witness
    this.manners = manners
  }

  /** The cloud for one process. */
  for(process: Process): Instances {
    const call = this.#wire.call.bind(this.#wire)
    const inAccount = <T>({ account }: Scope, run: () => T): T => {
      refuseOtherAccount(account, this.account)
      return run()
    }
    const list = (scope: Scope) => call(process, 'list', () => inAccount(scope, () => this.#page(process)))
    return {
      create: async (want) => {
        const held = want.refuseIf?.()
        if (held) throw held
        this.#witness.asked(process, want)
        try {
          return await call(process, 'create', () => inAccount(want.scope, () => this.#create(want)))
        } catch (thrown) {
          if (thrown instanceof CloudError && thrown.kind === 'capacity') this.#witness.refused(process, want)
          throw thrown
        }
      },
      find: (which) => call(process, 'find', () => inAccount(which.scope, () => this.#found(which) ?? 'absent')),
      async *list(scope) {
        yield await list(scope)
      },
      terminate: (which) => call(process, 'terminate', () => inAccount(which.scope, () => this.#terminate(which))),
    }
  }

  get isElsewhere(): boolean {
    return this.account !== fakeScope.account
  }

  #page(process: Process): InstancePage {
    const { account } = this
    if (this.isElsewhere) return { items: [], complete: true, account }
    return { items: this.#shown(process), complete: !this.#isPartial(), account }
  }

  alive(): Truth[] {
    return [...this.#truths.values()].filter((truth) => isAlive(truth))
  }

  /** Everything that was not ended, with the leftovers. */
  present(): Truth[] {
    return [...this.#truths.values()].filter((truth) => nowOf(truth).state !== 'terminated')
  }

  /** The number of all instances. */
  get made(): number {
    return this.#truths.size
  }

  /** As another user of the account does, with any tags. */
  makeStranger(tag: Instance['tag']): void {
    const truth = this.#make(tag, true)
    this.#become(truth, { state: 'running', started: true })
  }

  /** Takes it back, or stops it. */
  preempt(truth: Truth, to: 'terminated' | 'stopped'): void {
    if (!isAlive(truth)) return
    this.#witness.taken()
    this.#become(truth, { state: to, interrupted: true })
  }

  end(truth: Truth): void {
    this.#become(truth, { state: 'terminated' })
  }

  #create(want: Launch): Instance {
    if (this.isElsewhere) {
      this.#witness.madeElsewhere(want)
      throw new CloudError('invalid', { code: 'NoSubnet', message: 'There is no such subnet.' })
    }
    const known = [...this.#truths.values()].find((truth) => nowOf(truth).tag?.token === want.token)
    const isPart = known !== undefined && this.#parts.has(known)
    if (known && !isPart && this.manners.honoursTokens) return nowOf(known)
    if (this.#isDry(want)) this.#refuse(want, isPart)
    const truth = this.#make(tagOf(want), false, offeringIn(want))
    this.#witness.made(truth)
    const { acceptsFirst, doomsNext } = this.manners
    if (acceptsFirst && doomsNext) {
      this.manners.doomsNext = false
      const kind = this.#truths.size % 2 === 0 ? 'capacity' : 'subnet'
      const failure = new CloudError(kind, { code: 'NoneLeft', message: 'There was none after all.' })
      this.#later(truth, startMs, { state: 'leftover', failure })
    } else {
      if (acceptsFirst) this.#later(truth, startMs, { state: 'pending', started: true })
      this.#later(truth, bootMs, { state: 'running', started: true })
    }
    return nowOf(truth)
  }

  #isDry(want: Launch): boolean {
    const { dryUntil, dryPools } = this.manners
    return this.#clock.now < Math.max(dryUntil, dryPools.get(poolIn(want)) ?? 0)
  }

  /** `isPart`: an interface with this token is there already. */
  #refuse(want: Launch, isPart: boolean): never {
    if (this.manners.leavesParts && !isPart) {
      const part = this.#make(tagOf(want), false)
      this.#parts.add(part)
      this.#become(part, { state: 'leftover' })
    }
    throw new CloudError('capacity', { code: 'NoCapacity', message: 'There is none.' })
  }

  #make(tag: Instance['tag'], isStranger: boolean, bought?: Offering): Truth {
    const id = `i-${this.#truths.size + 1}`
    const at = this.#clock.now
    const instance: Instance = {
      id,
      launchedAt: epoch + at,
      account: fakeScope.account,
      state: 'pending',
      started: !this.manners.acceptsFirst,
      tag,
      capacityType: bought?.capacityType ?? 'Spot',
      instanceType: bought?.instanceType ?? 'm5.large',
      zone: 'zone-a',
      addresses: [{ type: 'InternalIP', address: `10.0.0.${this.#truths.size + 1}` }],
    }
    const hiddenForMs = isStranger ? 0 : this.manners.hiddenForMs
    const truth = {
      id,
      isStranger,
      madeAt: at,
      visibleAt: at + hiddenForMs,
      listedAt: undefined,
      listedTo: new Set<Process>(),
      states: [{ at, instance }],
    }
    this.#truths.set(id, truth)
    return truth
  }

  #terminate(which: InstanceRef): TerminateResult {
    const truth = this.#seenBy(which)
    const seen = truth && this.#asLookedAt(truth)
    if (!truth || !seen) return 'gone'
    if (!isOwnedBy(seen, which.tag)) {
      if (truth.isStranger) this.#witness.ending(truth)
      throw new CloudError('conflict', { code: 'NotOurs', message: 'It is not ours.' })
    }
    if (seen.state === 'terminated') return 'gone'
    if (nowOf(truth).state === 'terminating' || nowOf(truth).state === 'terminated') return 'going'
    this.#witness.ending(truth)
    if (this.#clock.now < this.manners.holdsOnUntil) return 'later'
    this.#become(truth, { state: 'terminating' })
    this.#later(truth, endMs, { state: 'terminated' })
    return 'going'
  }

  #found(which: InstanceRef): Instance | undefined {
    const truth = this.#seenBy(which)
    return truth && this.#asLookedAt(truth)
  }

  #asLookedAt(truth: Truth): Instance | undefined {
    return this.#asShown(truth, staleLookMs)
  }

  #seenBy(which: InstanceRef): Truth | undefined {
    if (this.isElsewhere && which.subnet !== undefined) throw subnetUnseen(which)
    if (this.isElsewhere) return undefined
    const { id, tag } = which
    if (id !== undefined) return this.#truths.get(id)
    return [...this.#truths.values()].find((truth) => nowOf(truth).tag?.token === tag.token)
  }

  #shown(process: Process): Instance[] {
    const shown = [...this.#truths.values()].filter((truth) => this.#asShown(truth) !== undefined)
    const listed = this.#isPartial() ? shown.filter((_, place) => place % 2 === 1) : shown
    return listed.flatMap((truth) => {
      if (!this.#isPartial()) this.#noteListed(truth, process)
      return this.#asShown(truth) ?? []
    })
  }

  #noteListed(truth: Truth, process: Process): void {
    truth.listedAt ??= this.#clock.now
    truth.listedTo.add(process)
  }

  /** An instance that is not shown yet, or any more, does not exist for a reader. */
  #asShown(truth: Truth, atMostMs = Infinity): Instance | undefined {
    const { now } = this.#clock
    const { byMs, until } = this.manners.stale
    const asOf = now < until ? now - Math.min(byMs, atMostMs) : now
    const then = truth.states.findLast(({ at }) => at <= asOf)
    if (!then || now < truth.visibleAt) return undefined
    const isForgotten = then.instance.state === 'terminated' && asOf - then.at > this.manners.remembersForMs
    return isForgotten ? undefined : then.instance
  }

  #isPartial(): boolean {
    return this.#clock.now < this.manners.partialUntil
  }

  #later(truth: Truth, ms: number, change: Partial<Instance>): void {
    const before = nowOf(truth)
    this.#clock.after(ms, () => {
      // Unless it has changed meanwhile.
      const { state } = nowOf(truth)
      if (state === before.state || change.state === 'terminated') this.#become(truth, change)
    })
  }

  #become(truth: Truth, change: Partial<Instance>): void {
    const now = nowOf(truth)
    if (now.state === 'terminated') return
    truth.states.push({ at: this.#clock.now, instance: { ...now, ...change } })
  }
}
