import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Ctx } from '../../api/ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import { offeringKey, type CapacityType, type Offering } from '../../api/offering.ts'
import { rungsOf, type FallbackEntry, type Rung } from '../../api/rules/capacity/rung.ts'
import { groupsClosedBy, holds, type Asked } from '../../api/rules/capacity/what-closes.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import type { Wanted } from '../../providers/cloud.ts'
import type { CapacityHole } from '../simulators/kit/supply/capacity.ts'
import { FakeClock } from '../support/fakes/fake-clock.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { refusalOf } from '../support/thrown-by.ts'
import { launchFor, refTo, type Rig } from './rig.ts'

export interface OfferingsRig extends Rig {
  readonly shop: Shop
}

/** What a simulated cloud sells, and the switches of that. */
export interface Shop {
  /** A machine of the usual type, as spot, that names no zone, in a cluster that has all of `zones`. */
  wanted(more?: ShopWish): Wanted
  readonly types: {
    readonly usual: string
    readonly larger: string
    /** Counts against another quota, and is sold in some of the zones. */
    readonly gpu: string
    readonly unknown: string
  }
  readonly zones: readonly string[]
  readonly gpuZones: readonly string[]
  /** Where a machine may be that names no zone. */
  readonly usualZones: readonly string[]
  /** The account may have no processor, or accelerator, of the GPU type on demand. */
  closeGpuQuota(): void
  noCapacity(hole: CapacityHole): void
  /** The names of the calls so far. */
  calls(): readonly string[]
}

export interface ShopWish extends Pick<Wanted, 'failureDomain' | 'choice' | 'exclude'> {
  readonly name?: string
}

type Outcome = Offering | { readonly refused: RefusalKind }

/** What the cloud interface promises of offerings, for every cloud. */
export function offeringsContract(name: string, start: () => Promise<OfferingsRig>): void {
  describe(`${name} keeps the promises of offerings`, () => {
    let rig: OfferingsRig
    let shop: Shop
    let clock: FakeClock
    let ctx: Ctx
    let bought = 0
    beforeEach(async () => {
      rig = await start()
      shop = rig.shop
      clock = new FakeClock()
      ctx = quietCtx({ clock })
    })
    afterEach(() => rig.close())

    const rung = async (entry?: FallbackEntry, more?: ShopWish): Promise<Rung> => {
      const own = await rig.cloud.offerings.own(shop.wanted(more), ctx)
      return rungsOf(own, entry && [entry]).at(-1) as Rung
    }
    const offerings = async (entry?: FallbackEntry, more?: ShopWish): Promise<readonly Offering[]> =>
      rig.cloud.offerings.of(shop.wanted(more), await rung(entry, more), ctx)
    const offering = (capacityType: CapacityType, instanceType: string, zone = shop.zones[0] ?? ''): Offering => ({
      capacityType,
      instanceType,
      zone,
    })
    const plan = (choice?: Offering & { subnet?: string }, more: ShopWish = {}) =>
      rig.cloud.plan(shop.wanted({ ...more, ...(choice ? { choice: { rung: 1, ...choice } } : {}) }), ctx)

    /** What the cloud shows of it when everything had time to come about, or why it refuses it. */
    async function buy(choice: Offering): Promise<Outcome> {
      const machine = `m${bought}`
      const owned = { machine: `default/${machine}`, token: `token${String(++bought).padStart(7, '0')}` }
      try {
        const { request } = await plan(choice, { name: machine })
        const want = launchFor(rig, { ...owned, request })
        const { id, failure } = await rig.cloud.instances.create(want, ctx)
        if (failure) return { refused: failure.kind }
        await rig.settle()
        // Buckets of calls fill again.
        await clock.advance(60_000)
        const found = await rig.cloud.instances.find(refTo(rig, want, id), ctx)
        if (typeof found === 'string') throw new Error(`The instance is ${found}: ${offeringKey(choice)}.`)
        if (found.failure) return { refused: found.failure.kind }
        const { capacityType, instanceType, zone } = found
        return { capacityType, instanceType, zone }
      } catch (thrown) {
        if (thrown instanceof CloudError) return { refused: thrown.kind }
        throw thrown
      }
    }

    it('the first of rung 0 is what a plan without a choice asks for, for each machine its own', async () => {
      const zones = new Set<string>()
      for (let at = 0; at < 20; at++) {
        const wish = { name: `m${at}` }
        const [first, ...others] = await offerings(undefined, wish)
        const planned = await plan(undefined, wish)
        expect(planned.offering).toEqual(first)
        expect((await plan(first, wish)).request).toEqual(planned.request)
        zones.add(first?.zone ?? '')
        expect(new Set([first, ...others].map((one) => one?.zone))).toEqual(new Set(shop.usualZones))
      }
      expect([...zones].toSorted()).toEqual(shop.usualZones.toSorted())
    })

    it.each(['Spot', 'OnDemand'] as const)(
      '%s in a zone, once chosen, is what the cloud makes',
      async (capacityType) => {
        const entry = { capacityType, instanceTypes: [shop.types.usual, shop.types.larger], zones: shop.zones }
        const all = await offerings(entry)
        expect(all).toHaveLength(2 * shop.zones.length)
        for (const one of all) {
          expect((await plan(one)).offering).toEqual(one)
          expect(await buy(one)).toEqual(one)
        }
      },
    )

    it('a choice with its subnet is asked for there again, whatever was full or is preferred since', async () => {
      for (const zone of shop.zones) {
        const one = offering('OnDemand', shop.types.usual, zone)
        const first = await plan(one)
        const again = await plan({ ...one, subnet: first.subnet }, { exclude: [first.subnet] })
        expect([again.request, again.subnet]).toEqual([first.request, first.subnet])
      }
    })

    it('lists only zones that sell the type, and hides no type that is sold', async () => {
      const { gpu, unknown, usual } = shop.types
      const zones = shop.zones
      const gpus = await offerings({ instanceTypes: [gpu], zones })
      expect(gpus.map(({ zone }) => zone).toSorted()).toEqual(shop.gpuZones.toSorted())
      const mixed = await offerings({ instanceTypes: [unknown, usual], zones })
      expect(mixed.filter(({ instanceType }) => instanceType === usual)).toHaveLength(zones.length)
    })

    it('a type that does not exist is invalid, once chosen', async () => {
      expect(await buy(offering('Spot', shop.types.unknown))).toEqual({ refused: 'invalid' })
    })

    it('the failure domain bounds every rung, and a rung without it is invalid', async () => {
      const [home = '', other = ''] = shop.zones
      const within = { failureDomain: home }
      expect((await offerings(undefined, within)).map(({ zone }) => zone)).toEqual([home])
      expect((await offerings({ zones: [other, home] }, within)).map(({ zone }) => zone)).toEqual([home])
      const refused = await refusalOf(offerings({ zones: [other] }, within))
      expect([refused.kind, refused.message.includes('spec.fallback[0].zones')]).toEqual(['invalid', true])
    })

    it('a zone where no machine can be is invalid, with the field', async () => {
      const refused = await refusalOf(offerings({ zones: ['elsewhere'] }))
      expect([refused.kind, refused.message.includes('spec.fallback[0].zones')]).toEqual(['invalid', true])
    })

    it('without a reservation in the spec none can be bought', async () => {
      expect(await refusalOf(plan(offering('Reserved', shop.types.usual)))).toMatchObject({ kind: 'invalid' })
    })

    it('asks the cloud nothing that a plan does not ask, and nothing twice', async () => {
      const entry = { instanceTypes: [shop.types.usual, shop.types.larger], zones: shop.zones }
      for (const type of [shop.types.usual, shop.types.larger]) {
        await plan()
        await plan(offering('Spot', type))
      }
      const planned = new Set(shop.calls())
      await offerings(entry)
      await offerings()
      const since = shop.calls().length
      await offerings(entry, { name: 'another' })
      await offerings(undefined, { name: 'another' })
      expect(shop.calls()).toHaveLength(since)
      expect(shop.calls().filter((call) => !planned.has(call))).toEqual([])
    })

    it('without capacity in one zone another has it, and the other market too', async () => {
      const [home = '', other = ''] = shop.zones
      const { usual } = shop.types
      shop.noCapacity({ instanceType: usual, zone: home, market: 'spot', pieces: 1 })
      const [first, second] = [await buy(offering('Spot', usual, home)), await buy(offering('Spot', usual, home))]
      expect([first, second]).toEqual([offering('Spot', usual, home), { refused: 'capacity' }])
      for (const one of [offering('Spot', usual, other), offering('OnDemand', usual, home)]) {
        expect(await buy(one)).toEqual(one)
      }
    })

    it('a closed quota of GPUs leaves the usual type open', async () => {
      const { gpu, usual, larger } = shop.types
      const asked = (instanceType: string): Asked => {
        const one = offering('OnDemand', instanceType)
        const quota = rig.cloud.offerings.quotaClassOf(one, shop.wanted().machine.spec)
        return { scope: 's', offering: one, maxPrice: 'default', constraints: '', quota }
      }
      const heldBy = (refused: string, other: string) =>
        groupsClosedBy({ ...asked(refused), kind: 'quota' }).some((group) => holds(group, asked(other)))
      shop.closeGpuQuota()
      expect(await buy(asked(gpu).offering)).toEqual({ refused: 'quota' })
      expect(await buy(asked(usual).offering)).toEqual(asked(usual).offering)
      expect([heldBy(gpu, gpu), heldBy(gpu, usual), heldBy(gpu, larger)]).toEqual([true, false, false])
      expect([heldBy(usual, larger), heldBy(larger, usual)]).toEqual([true, false])
    })

    it('an unknown code reaches no further than its offering', () => {
      const reach = (code: string) => rig.cloud.offerings.reachOf(code, 'Spot')
      expect(['constructor', '', 'SomethingNew'].map(reach)).toEqual(['offering', 'offering', 'offering'])
    })

    it('an offering has a key of its own', async () => {
      const all = await offerings({ instanceTypes: [shop.types.usual, shop.types.gpu], zones: shop.zones })
      expect(new Set(all.map(offeringKey)).size).toBe(all.length)
    })
  })
}
