import fc from 'fast-check'
import { it } from 'vitest'
import type { Scope } from '../../api/scope.ts'
import { FakeClock } from '../../test/support/fakes/fake-clock.ts'
import { FakeCloud } from '../../test/support/fakes/fake-cloud.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { tagOf } from '../shared/ownership.ts'
import type { Fleet } from './fleet.ts'
import { Fleets } from './fleets.ts'

const accounts = ['111122223333', '999988887777', '555566667777'] as const
const users = ['AWSCluster default/c1', 'AWSCluster default/c2', 'AWSMachine default/m1'] as const
const place: Scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' }
const pollIntervalMs = 15_000

type Step = (world: World) => Promise<void> | void

/** Users that come, move and go, while the credentials change under them. */
class World {
  readonly clock = new FakeClock()
  readonly cloud = new FakeCloud()
  readonly used = new Map<string, { scope: Scope; fleet: Fleet }>()
  readonly #stop = new AbortController()
  readonly #ctx = quietCtx({ clock: this.clock, signal: this.#stop.signal })
  readonly #fleets = new Fleets({ pollIntervalMs, onChange: () => {} }, this.#ctx)
  #underWay = 0
  #mostUnderWay = 0

  constructor() {
    const list = this.cloud.list.bind(this.cloud)
    const { clock } = this
    const count = (by: number) => {
      this.#underWay += by
      this.#mostUnderWay = Math.max(this.#mostUnderWay, this.#underWay)
    }
    this.cloud.list = async function* (scope, ctx) {
      count(1)
      try {
        await clock.sleep(500, ctx.signal)
        yield* list(scope, ctx)
      } finally {
        count(-1)
      }
    }
    this.own(accounts[0])
  }

  /**
   * From now on the credentials are of this account, in which one instance of ours is; undefined: of one that nothing
   * tells, in which there is none.
   */
  own(account: string | undefined): void {
    this.cloud.account = account
    this.cloud.instances.clear()
    if (account === undefined) return
    this.cloud.instances.set(`i-${account}`, {
      id: `i-${account}`,
      account,
      state: 'running',
      started: true,
      tag: tagOf({ owner: 'o', machine: `default/${account}`, token: account }),
      capacityType: 'Spot',
      instanceType: 'm5.large',
      zone: 'us-east-1a',
      addresses: [],
    })
  }

  use(user: string, scope: Scope): void {
    this.used.set(user, { scope, fleet: this.#fleets.of(scope, { instances: this.cloud }, user) })
  }

  leave(user: string): void {
    this.used.delete(user)
    this.#fleets.leave(user)
  }

  /** The laws that hold at any time. */
  check(): void {
    if (this.#mostUnderWay > 1) throw new Error('Two lists of one account and region are under way at once.')
    for (const { scope, fleet } of this.used.values()) {
      for (const { account } of fleet.ownedBy('o')) {
        if (scope.account !== undefined && account !== scope.account)
          throw new Error(`The fleet of account ${scope.account} shows an instance of account ${account}.`)
      }
      const mine = { id: `i-${scope.account}`, tag: tagOf({ owner: 'o', machine: 'm', token: 't' }) }
      const seen = fleet.look(mine, true, this.#ctx).is
      if (seen === 'missing' || seen === 'gone') throw new Error(`Account ${scope.account} lacks what is in it.`)
      if (scope.account === undefined && fleet.isOfOurAccount) throw new Error('An account that nobody names proves.')
    }
  }

  /** After a while each fleet shows what the credentials of now show, or says that they are of another account. */
  async settle(): Promise<void> {
    await this.clock.advance(150_000)
    for (const { scope, fleet } of this.used.values()) {
      if (this.cloud.account === undefined) continue
      const isServed = scope.account === undefined || scope.account === this.cloud.account
      const shown = fleet.ownedBy('o').map(({ account }) => account)
      if (isServed && (fleet.trouble !== undefined || shown[0] !== this.cloud.account))
        throw new Error(`The fleet of ${scope.account} does not show account ${this.cloud.account}: ${shown.join()}`)
      if (!isServed && fleet.trouble?.code !== 'OtherAccount')
        throw new Error(`The fleet of ${scope.account} does not say that the credentials are of another account.`)
    }
    const before = this.cloud.pages
    await this.clock.advance(10 * pollIntervalMs)
    const lists = this.cloud.pages - before
    if (lists > 10) throw new Error(`One account and region was listed ${lists} times in ten intervals.`)
  }

  async end(): Promise<void> {
    this.#stop.abort(new Error('the test is over'))
    await this.#fleets.ended()
  }
}

const anyUser = fc.constantFrom(...users)
const anyScope = fc.constantFrom(place, ...accounts.map((account) => ({ ...place, account })))
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(anyUser, anyScope).map<Step>(
    ([user, scope]) =>
      (world) =>
        world.use(user, scope),
  ),
  anyUser.map<Step>((user) => (world) => world.leave(user)),
  fc.constantFrom(...accounts, undefined).map<Step>((account) => (world) => world.own(account)),
  fc.constantFrom(0, 400, 7_000, 20_000, 90_000).map<Step>((ms) => (world) => world.clock.advance(ms)),
)

it('any pinned accounts and any credentials: one list at a time, and each account has its own instances', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), async (steps) => {
      const world = new World()
      try {
        for (const step of steps) {
          await step(world)
          world.check()
        }
        await world.settle()
        world.check()
      } finally {
        await world.end()
      }
    }),
    { numRuns: 300 },
  )
})
