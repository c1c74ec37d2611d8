import type { Account } from '../account.ts'
import { lackOf, refusalAfterwards } from '../supply/capacity.ts'
import { ArmError } from '../http/errors.ts'
import { marketOf, type LaunchPlan, type Refusal } from '../instances/instance.ts'
import { holdInterface } from '../instances/parts.ts'

/** Refuses at once what Azure sees at once that it does not have; else answers with what it will find out later. */
export function checkSupply(planned: LaunchPlan, id: string, account: Account): Refusal | undefined {
  const { capacity, clock } = account
  const { type, zone, location } = planned
  const offering = { instanceType: type.name, zone, market: marketOf(planned) }
  const code =
    zone === undefined || type.zones.includes(zone) ? lackOf(offering, capacity, clock.now()) : 'SkuNotAvailable'
  if (code === undefined) return undefined
  const refusal = refusalAfterwards(code)
  if (refusal) return refusal
  for (const use of planned.interfaces) holdInterface(use.id, id, account)
  throw new ArmError(
    code,
    `The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: ${type.name}' is currently ` +
      `not available in location '${location}'. Please try another size or deploy to a different location or different ` +
      'zone. See https://aka.ms/azureskunotavailable for details.',
  )
}
