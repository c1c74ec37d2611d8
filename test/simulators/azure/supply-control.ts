import { ControlError, verb, type Verb, type View } from '../kit/control.ts'
import { compact, marketCalled, wordOf } from '../kit/given.ts'
import type { Account } from './account.ts'
import { capacityCodes, type ArmHole } from './capacity.ts'

/** What Azure has to give, at what price, and to how many. */
export interface SupplyControl {
  /** There is none of this; nothing at all, when nothing is said. */
  noCapacity(hole?: ArmHole): void
  capacityBack(hole?: ArmHole): void
  /** The next machines are accepted, and their provisioning fails afterwards with this. */
  failNextLaunch(code: string, count?: number, message?: string): void
  /**
   * How many processors, from now on: `lowPriorityCores` (spot), `cores` (all others), or a family's name; how many
   * machines: `virtualMachines`.
   */
  quota(name: string, limit: number): void
  /** The spot price of a size from now on, in dollars an hour: what runs and would not pay it is taken back. */
  spotPrice(instanceType: string, price: number): void
  /** How long an interface is kept for a machine that came to nothing; 0: not at all. */
  holdInterfaces(ms: number): void
}

export function supplyControl(account: Account): SupplyControl {
  const { capacity, launches, quotas, market, interfaces } = account
  return {
    noCapacity: (hole = {}) => capacity.takeAway(hole),
    capacityBack: (hole = {}) => capacity.giveBack(hole),
    failNextLaunch: (code, count = 1, message = `Refused by the simulator: ${code}.`) =>
      launches.refuseNext(count, { code, message }),
    quota(name, limit) {
      if (!quotas.limit(name, limit)) {
        throw new ControlError(`There is no quota "${name}"; the usages of the region name all that there are.`)
      }
    },
    spotPrice(instanceType, price) {
      if (!(price > 0)) throw new ControlError('"price" must be a number of dollars above 0.')
      if (!market.change(instanceType, price)) {
        throw new ControlError(`There is no spot market for "${instanceType}".`)
      }
      evictUnpayable({ instanceType, price }, account)
    },
    holdInterfaces(ms) {
      interfaces.holdMs = ms
    },
  }
}

function evictUnpayable(
  { instanceType, price }: { instanceType: string; price: number },
  { instances, lifecycle, evictionNoticeMs }: Account,
): void {
  for (const instance of instances.all) {
    const { type, spot } = instance.plan
    const isTooDear = spot && spot.maxPrice !== -1 && spot.maxPrice < price
    if (isTooDear && type.name === instanceType && instance.power === 'running') {
      lifecycle.evict(instance, evictionNoticeMs)
    }
  }
}

/** The same over HTTP. */
export function supplyVerbs(control: SupplyControl, now: () => number): readonly Verb[] {
  return [
    verb({
      name: 'no-capacity',
      does: `Azure has none of this to give, for ever or for a while; code: ${capacityCodes.join(', ')}`,
      fields: { instanceType: 'text?', zone: 'text?', market: 'text?', for: 'duration?', code: 'text?' },
      run: ({ for: lasts, market, code, ...hole }) =>
        control.noCapacity(
          compact({
            ...hole,
            market: marketCalled(market),
            until: lasts && now() + lasts,
            code: wordOf('code', code, capacityCodes),
          }),
        ),
    }),
    verb({
      name: 'capacity-back',
      does: 'Azure has this again',
      fields: { instanceType: 'text?', zone: 'text?', market: 'text?' },
      run: ({ market, ...hole }) => control.capacityBack(compact({ ...hole, market: marketCalled(market) })),
    }),
    verb({
      name: 'fail-next-launch',
      does: 'accepts the next machines and refuses them afterwards with a code',
      fields: { code: 'text', count: 'number?', message: 'text?' },
      run: ({ code, count, message }) => control.failNextLaunch(code, count, message),
    }),
    verb({
      name: 'quota',
      does: 'how many there may be: lowPriorityCores (spot), cores (all others), the name of a family, or virtualMachines',
      fields: { name: 'text', limit: 'number' },
      run: ({ name, limit }) => control.quota(name, limit),
    }),
    verb({
      name: 'spot-price',
      does: 'another spot price from now on, in dollars an hour',
      fields: { instanceType: 'text', price: 'number' },
      run: ({ instanceType, price }) => control.spotPrice(instanceType, price),
    }),
    verb({
      name: 'hold-interfaces',
      does: 'how long an interface is kept for a machine that came to nothing; 0: not at all',
      fields: { for: 'duration' },
      run: ({ for: lasts }) => control.holdInterfaces(lasts),
    }),
  ]
}

export function supplyViews({ capacity, clock, quotas, instances }: Account): Readonly<Record<string, View>> {
  return { capacity: () => capacity.missing(clock.now()), usages: () => quotas.usages(instances.all) }
}
