import { expect, it } from 'vitest'
import { chooseOffering, type Standing } from '../../../api/rules/capacity/choice.ts'
import { offeringsOf, rungsOf } from '../../../api/rules/capacity/rung.ts'
import { afterTry, untried } from '../../../api/rules/capacity/tried.ts'
import { groupsClosedBy, holds, type Asked } from '../../../api/rules/capacity/what-closes.ts'
import type { Offering } from '../../../api/offering.ts'
import { quotaClassOf } from './quota-classes.ts'

const generations = ['5', '5a', '5d', '5n', '6i', '6a', '6id', '7i', '7a', '8i']
const types = ['c', 'm', 'r', 'i', 'd', 'z'].flatMap((letter) => generations.map((one) => `${letter}${one}.large`))
const now = Date.UTC(2026, 0, 1)

/** What a machine asks for, one refusal after the other, until it waits. */
function askedUntilItWaits(fallback: readonly string[], quotaIsUsedUp: (offering: Offering) => boolean): string[] {
  const [, rung] = rungsOf({ capacityType: 'Spot', instanceType: types[0] ?? '' }, [{ instanceTypes: fallback }])
  if (!rung) throw new Error('There is a rung.')
  const around = { zones: ['a', 'b'], failureDomain: undefined, inOrder: (all: readonly string[]) => all }
  const rungs = [{ rung, offerings: offeringsOf(rung, { ...around, isSold: () => true }) }]
  const closed: string[] = []
  const asked = (offering: Offering): Asked => ({
    scope: 's',
    offering,
    maxPrice: 'default',
    constraints: '',
    quota: quotaClassOf(offering),
  })
  const memory = (offering: Offering): Standing =>
    closed.some((group) => holds(group, asked(offering))) ? { is: 'closed', until: now + 30_000 } : { is: 'open' }
  const calls: string[] = []
  for (let walk = untried; ;) {
    const choice = chooseOffering({ rungs, walk, memory, since: now, now, restMs: 0 })
    if (choice.do !== 'ask') return calls
    const { offering } = choice
    calls.push(offering.instanceType)
    if (!quotaIsUsedUp(offering)) return calls
    closed.push(...groupsClosedBy({ ...asked(offering), kind: 'quota' }))
    walk = afterTry(walk, { offering, rung: choice.rung, kind: 'quota', code: 'VcpuLimitExceeded' }, now)
  }
}

it('sixty types of one quota and size are one call when the quota is used up', () => {
  expect(types).toHaveLength(60)
  expect(askedUntilItWaits(types, () => true)).toEqual([types[0]])
})

it('a larger size is not asked for then, and a smaller one and another quota are', () => {
  const isFull = ({ instanceType }: Offering) => instanceType.endsWith('large') && !instanceType.startsWith('g')
  expect(askedUntilItWaits(['m5.large', 'm6i.4xlarge', 'g5.xlarge'], isFull)).toEqual(['m5.large', 'g5.xlarge'])
  expect(askedUntilItWaits(['m5.large', 'm6i.4xlarge', 't2.small'], isFull)).toEqual(['m5.large', 't2.small'])
})
