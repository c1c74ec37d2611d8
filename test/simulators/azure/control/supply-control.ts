import type { View } from '../../kit/control/control-plane.ts'
import { capacityControl, capacityVerbs, type CapacityControl } from '../../kit/control/supply-control.ts'
import { ControlError, optionalOneOf, verbsOf, type Verb } from '../../kit/control/verb.ts'
import type { Account } from '../account.ts'
import { capacityCodes, type ArmHole } from '../supply/capacity.ts'

/** What Azure has to give, at what price, and to how many. */
export interface SupplyControl extends CapacityControl<ArmHole> {
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
    ...capacityControl(capacity),
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
  const calls = verbsOf(control)
  const how = `code: ${capacityCodes.join(', ')}`
  return [
    ...capacityVerbs(control, { cloud: 'Azure', how, choices: { code: optionalOneOf(capacityCodes) } }, now),
    calls(
      'failNextLaunch',
      'accepts the next machines and refuses them afterwards with a code',
      ['code', 'text'],
      ['count', 'number?'],
      ['message', 'text?'],
    ),
    calls(
      'quota',
      'how many there may be: lowPriorityCores (spot), cores (all others), the name of a family, or virtualMachines',
      ['name', 'text'],
      ['limit', 'number'],
    ),
    calls(
      'spotPrice',
      'another spot price from now on, in dollars an hour',
      ['instanceType', 'text'],
      ['price', 'number'],
    ),
    calls('holdInterfaces', 'how long an interface is kept for a machine that came to nothing; 0: not at all', [
      'for',
      'duration',
    ]),
  ]
}

export function supplyViews({ capacity, clock, quotas, instances }: Account): Readonly<Record<string, View>> {
  return { capacity: () => capacity.missing(clock.now()), usages: () => quotas.usages(instances.all) }
}
