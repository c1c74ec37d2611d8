import type { Account } from '../account.ts'
import { Ec2Error, invalidCombination, invalidValue, notSimulated } from '../http/errors.ts'
import { isOfferedIn, type InstanceType } from '../supply/instance-types.ts'
import type { LaunchPlan, Market, SpotTerms } from '../instances/instance.ts'
import type { RunInstancesValues } from './parameters.ts'

type MarketOptions = RunInstancesValues['InstanceMarketOptions']
type SpotOptions = NonNullable<NonNullable<MarketOptions>['SpotOptions']>

/** On which market the instances are bought, and on what terms where that is the spot market. */
export function checkMarket(options: MarketOptions, type: InstanceType): { market: Market; spot?: SpotTerms } {
  const market = options?.MarketType ?? 'on-demand'
  if (market === 'spot') return { market, spot: checkSpot(options?.SpotOptions ?? {}, type) }
  if (options?.SpotOptions) throw invalidCombination('SpotOptions may be specified with the market type spot only.')
  if (market === 'interruptible-capacity-reservation') throw notSimulated(`the market type ${market}`)
  return { market }
}

function checkSpot(spot: SpotOptions, type: InstanceType): SpotTerms {
  if (!type.usageClasses.includes('spot')) {
    throw invalidValue(
      `Value (${type.name}) for parameter instanceType is invalid. '${type.name}' is an unsupported instance type`,
    )
  }
  checkRequestKind(spot)
  return { maxPrice: checkMaxPrice(spot.MaxPrice, type) }
}

function checkRequestKind(spot: SpotOptions): void {
  const { SpotInstanceType: kind = 'one-time', InstanceInterruptionBehavior: behavior = 'terminate' } = spot
  if (spot.BlockDurationMinutes !== undefined) {
    throw new Ec2Error('UnsupportedOperation', 'Spot Instances with a defined duration are no longer supported.')
  }
  if (kind === 'persistent') throw notSimulated('persistent spot requests')
  if (behavior !== 'terminate') {
    throw invalidCombination(
      `The request with type '${kind}' is not supported when instanceInterruptionBehavior is set to '${behavior}'.`,
    )
  }
  if (spot.ValidUntil !== undefined) {
    throw invalidCombination(`The parameter validUntil is not supported for requests with type '${kind}'.`)
  }
}

/** Left out, the price of the instance on demand is the most that is paid. */
function checkMaxPrice(given: string | undefined, { price }: InstanceType): number {
  if (given === undefined) return price.onDemand
  const maxPrice = /^\d+(\.\d+)?$/.test(given) ? Number(given) : 0
  if (maxPrice <= 0.001) {
    throw invalidValue(
      `Value (${given}) for parameter maxPrice is invalid. "${given}" is an invalid spot instance price`,
    )
  }
  return maxPrice
}

/** Whether EC2 has such instances there at that price, and how many of those that are wanted it has to give now. */
export function checkSupply({ type, subnet, spot, reservation, count }: Supply, account: Account): LaunchPlan['count'] {
  const { world, capacity, quotas, clock } = account
  const zone = subnet.zone.name
  const others = world.zones.map(({ name }) => name).filter((name) => name !== zone && isOfferedIn(type, name))
  if (!isOfferedIn(type, zone)) {
    throw new Ec2Error(
      'Unsupported',
      `Your requested instance type (${type.name}) is not supported in your requested Availability Zone (${zone}). ` +
        `Please retry your request by not specifying an Availability Zone or choosing ${others.join(', ')}.`,
    )
  }
  if (spot) checkPrice(spot, type, account.market.price(type, zone))
  quotas.check({ type, spot, count })
  const market = spot ? 'spot' : 'on-demand'
  // What is reserved is kept free, whatever else there is.
  const room = reservation ? Infinity : capacity.room({ instanceType: type.name, zone, market }, clock.now())
  if (room >= count.min) return { ...count, max: Math.min(count.max, room) }
  throw new Ec2Error(
    'InsufficientInstanceCapacity',
    spot
      ? 'There is no Spot capacity available that matches your request.'
      : `We currently do not have sufficient ${type.name} capacity in the Availability Zone you requested (${zone}). ` +
          `You can currently get ${type.name} capacity by not specifying an Availability Zone in your request ` +
          `or choosing ${others.join(', ')}.`,
  )
}

type Supply = Pick<LaunchPlan, 'type' | 'subnet' | 'spot' | 'reservation' | 'count'>

function checkPrice({ maxPrice }: SpotTerms, { price }: InstanceType, least: number): void {
  // At the price on demand nobody is outbid.
  if (maxPrice >= least || maxPrice >= price.onDemand) return
  throw new Ec2Error(
    'SpotMaxPriceTooLow',
    `Your Spot request price of ${maxPrice} is lower than the minimum required Spot request fulfillment price of ${least}.`,
  )
}
