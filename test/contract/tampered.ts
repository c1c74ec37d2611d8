import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Ctx } from '../../api/ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { Instance } from '../../api/instance.ts'
import { longestCallMs, longestTokenMs } from '../../providers/wire/limits.ts'
import { FakeClock, hasty } from '../support/fakes/fake-clock.ts'
import { longestStallMs, ownTimeOf } from '../support/own-time.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { mutate, mutation, type Mutation } from './mutation.ts'
import { launchFor, refTo, type Rig } from './rig.ts'

const states = new Set(['pending', 'running', 'stopping', 'stopped', 'terminating', 'terminated', 'leftover'])
/** FUZZ_RUNS: more of them, by hand; seeds are those of test/support/fixed-seeds.ts. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 80)
const noMutation: Mutation = { where: 0, put: '', how: 'splice' }

/** What the cloud answers may be anything: the adapter says so in its own words, or reads it without harm. */
export function tamperedContract(name: string, start: () => Promise<Rig>): void {
  describe(`${name}, whatever its answers look like`, () => {
    let rig: Rig
    const clock = new FakeClock()
    const ctx: Ctx = quietCtx({ clock: hasty(clock) })

    beforeEach(async () => {
      rig = await start()
    })
    afterEach(() => rig.close())

    const listed = async (): Promise<Instance[]> => {
      const all: Instance[] = []
      for await (const page of rig.cloud.instances.list(rig.scope, ctx)) all.push(...page.items)
      return all
    }
    const harmless = async (call: () => Promise<unknown>): Promise<void> => {
      try {
        const answer = await call()
        const instances = (Array.isArray(answer) ? answer : [answer]).filter((one) => typeof one !== 'string')
        expect((instances as Instance[]).filter((one) => !isInstance(one))).toEqual([])
      } catch (thrown) {
        if (!(thrown instanceof CloudError)) throw thrown
        expect(thrown.message.length).toBeLessThan(2_000)
      }
    }

    it('a call that gets no answer at all is given up when the longest call is over', async () => {
      const held = rig.holdNextCreate()
      const made = rig.cloud.instances.create(launchFor(rig), ctx).catch((error: unknown) => error)
      await held.reached
      await clock.advance(longestCallMs + longestTokenMs)
      expect(await made).toMatchObject({ name: 'CloudError', kind: 'ambiguous' })
      held.drop()
      expect(clock.pending).toBe(0)
    })

    it(
      'only a CloudError comes of it, and the next good one is understood',
      async () => {
        const want = launchFor(rig)
        const made = await rig.cloud.instances.create(want, ctx)
        await rig.settle()
        const good = await listed()
        expect(good.map(({ id }) => id)).toEqual([made.id])
        const other = launchFor(rig, { machine: 'default/m2', token: 'tokennumber2' })
        const calls = [
          () => harmless(listed),
          () => harmless(() => rig.cloud.instances.find(refTo(rig, want, made.id), ctx)),
          () => harmless(() => rig.cloud.instances.find(refTo(rig, other), ctx)),
          () => harmless(() => rig.cloud.instances.create(want, ctx)),
          () => harmless(() => rig.cloud.instances.terminate(refTo(rig, other), ctx)),
        ]
        const suffer = async (mutations: readonly Mutation[], call: () => Promise<void>) => {
          let nth = 0
          rig.tamper(({ body }) => mutate(body, mutations[nth++ % mutations.length] ?? noMutation))
          const tookMs = await ownTimeOf(call)
          rig.tamper(undefined)
          await clock.advance(600_000)
          return tookMs
        }
        const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 })
        await fc.assert(
          fc.asyncProperty(mutations, fc.constantFrom(...calls), async (mutations, call) => {
            expect(await suffer(mutations, call)).toBeLessThan(longestStallMs)
          }),
          { numRuns: runs },
        )
        expect((await listed()).map(({ id, state }) => [id, state])).toEqual([[made.id, 'running']])
      },
      Math.max(60_000, runs * 60),
    )
  })
}

function isInstance({ id, name, account, state, addresses, zone, instanceType, reason, tag }: Instance): boolean {
  const texts = [id, name ?? '', account ?? '', zone, instanceType, ...addresses.map(({ address }) => address)]
  if (reason) texts.push(reason.code, reason.message)
  if (tag) texts.push(tag.owner, tag.machine, tag.token)
  return states.has(state) && texts.every((text) => typeof text === 'string')
}
