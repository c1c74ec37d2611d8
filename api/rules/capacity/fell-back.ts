import { offeringInWords, parseOfferingKey, type Offering } from '../../offering.ts'
import type { Walk } from './tried.ts'

/** What a machine got after refusals, as one message. Undefined: nothing was refused to it. */
export function fellBackMessage(
  instance: string,
  bought: Offering,
  { tried, triedCount }: Pick<Walk, 'tried' | 'triedCount'>,
): string | undefined {
  const last = tried.at(-1)
  if (!last) return undefined
  const refused = parseOfferingKey(last.offering)
  const times = triedCount === 1 ? 'a refusal. It was' : `${triedCount} refusals. The last was`
  const about = refused ? ` of ${offeringInWords(refused)}` : ''
  return `Instance ${instance} is ${offeringInWords(bought)}, after ${times} ${last.code}${about}.`
}
