import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Ctx } from '../../api/ctx.ts'
import { misfitOf } from '../../api/rules/attempt-fit.ts'
import { heldBack, isHeldBack } from '../../providers/errors.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { RefusalKind } from '../../api/refusal.ts'
import type { InstancePage, InstanceRef, Launch } from '../../providers/instances.ts'
import type { Instance } from '../../api/instance.ts'
import { isOwnedBy } from '../../api/ownership.ts'
import { tagOf } from '../../providers/shared/ownership.ts'
import { FakeClock, hasty } from '../support/fakes/fake-clock.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { callsForAPage } from '../../providers/wire/retry-page.ts'
import { launchFor, refTo as refFor, type Rig } from './rig.ts'
import { refusalOf } from '../support/thrown-by.ts'

/** The kinds that every cloud's create call can be refused with. */
const refusals: readonly RefusalKind[] = ['capacity', 'quota', 'throttled', 'denied', 'invalid']

/** What the cloud interface promises, for every cloud. */
export function instancesContract(name: string, start: () => Promise<Rig>): void {
  describe(`${name} keeps the promises of the cloud interface`, () => {
    let rig: Rig
    let ctx: Ctx
    const launch = (over: Partial<Launch> = {}): Launch => launchFor(rig, over)
    const refTo = (want: Launch, id?: string): InstanceRef => refFor(rig, want, id)
    const listed = async (): Promise<Instance[]> => {
      const all: Instance[] = []
      for await (const page of rig.cloud.instances.list(rig.scope, ctx)) all.push(...page.items)
      return all
    }
    beforeEach(async () => {
      rig = await start()
      ctx = quietCtx({ clock: hasty(new FakeClock()) })
    })
    afterEach(() => rig.close())

    describe('create', () => {
      it('makes one instance that carries owner, machine and token', async () => {
        const want = launch()
        const made = await rig.cloud.instances.create(want, ctx)
        expect(made.state).toBe('pending')
        await rig.settle()
        const [found, ...others] = await listed()
        expect(others).toEqual([])
        expect(found).toMatchObject({
          id: made.id,
          state: 'running',
          capacityType: 'Spot',
        })
        expect(found?.started).toBe(true)
        expect(found?.launchedAt, 'the list says when it was made').toEqual(expect.any(Number))
        expect(found && isOwnedBy(found, tagOf(want))).toBe(true)
        expect(found?.addresses.map(({ type }) => type)).toContain('InternalIP')
      })

      it('sends nothing when its turn comes and it is held back, and makes the instance when it is not', async () => {
        const held = await refusalOf(rig.cloud.instances.create(launch({ refuseIf: () => heldBack() }), ctx))
        expect([isHeldBack(held), rig.creates(), rig.alive()]).toEqual([true, 0, 0])
        await rig.cloud.instances.create(launch({ refuseIf: () => undefined }), ctx)
        expect(rig.alive()).toBe(1)
      })

      it('gives an id and a zone that an attempt may name', async () => {
        const want = launch()
        const { id, zone } = await rig.cloud.instances.create(want, ctx)
        const { name: cloud, attemptPatterns: patterns } = rig.cloud
        const home = { scope: rig.scope, name: 'the infrastructure cluster' }
        const attempt = { for: want.machine, owner: want.owner, n: 1, token: want.token, startedAt: 'now' }
        expect(misfitOf({ ...attempt, scope: rig.scope, handle: id }, { cloud, patterns, home })).toBeUndefined()
        expect(zone === '' || patterns.zone.test(zone)).toBe(true)
      })

      it('twice with one token is one instance', async () => {
        const first = await rig.cloud.instances.create(launch(), ctx)
        await rig.settle()
        const second = await rig.cloud.instances.create(launch(), ctx)
        expect(second.id).toBe(first.id)
        expect(rig.alive()).toBe(1)
      })

      it('twice at the same time with one token is one instance', async () => {
        const both = await Promise.all([
          rig.cloud.instances.create(launch(), ctx),
          rig.cloud.instances.create(launch(), ctx),
        ])
        expect(both[0].id).toBe(both[1].id)
        expect(rig.alive()).toBe(1)
      })

      it('with two tokens is two instances', async () => {
        await rig.cloud.instances.create(launch(), ctx)
        await rig.cloud.instances.create(launch({ token: 'tokennumber2', machine: 'default/m2' }), ctx)
        expect(rig.alive()).toBe(2)
      })

      it('answer lost after the commit: it is ambiguous, and the same token finds the instance', async () => {
        rig.loseNextAnswer()
        expect((await refusalOf(rig.cloud.instances.create(launch(), ctx))).kind).toBe('ambiguous')
        const again = await rig.cloud.instances.create(launch(), ctx)
        expect(rig.alive()).toBe(1)
        expect(again.tag?.token).toBe(launch().token)
      })

      it('again with the token and another request adopts the first instance, as it can no longer be rebuilt', async () => {
        const first = await rig.cloud.instances.create(launch(), ctx)
        const again = await rig.cloud.instances.create(launch({ request: rig.otherRequest }), ctx)
        expect(again.id).toBe(first.id)
        expect(rig.alive()).toBe(1)
      })

      it('again after it was ended answers with the ended one, and makes no other', async () => {
        const first = await rig.cloud.instances.create(launch(), ctx)
        await rig.cloud.instances.terminate(refTo(launch(), first.id), ctx)
        await rig.settle()
        const again = await rig.cloud.instances.create(launch(), ctx)
        expect(again).toMatchObject({ id: first.id, state: 'terminated' })
        expect(rig.alive()).toBe(0)
      })

      it.each([
        ['another owner’s', 'ownerone01', 'ownerother'],
        ['another attempt’s', 'tokennumber1', 'tokenanother'],
      ])('answered with %s instance is a conflict: it is never taken for ours', async (_, ours, theirs) => {
        rig.tamper(({ body }) => body.replaceAll(ours, theirs))
        const error = await refusalOf(rig.cloud.instances.create(launch(), ctx))
        expect(error.kind).toBe('conflict')
      })

      it.each(refusals)('refused with the cloud’s word for %s throws that kind, after one call', async (kind) => {
        rig.refuseNextCreate(kind)
        const error = await refusalOf(rig.cloud.instances.create(launch(), ctx))
        expect(error.kind).toBe(kind)
        expect(error.message.length).toBeGreaterThan(0)
        expect(rig.creates()).toBe(1)
      })

      it('ends when the signal does, and leaves it open whether it was done', async () => {
        const stop = new AbortController()
        const held = rig.holdNextCreate()
        const call = refusalOf(rig.cloud.instances.create(launch(), { ...ctx, signal: stop.signal }))
        await held.reached
        stop.abort(new Error('stopped'))
        expect((await call).kind).toBe('ambiguous')
        held.drop()
      })

      it('shows user data in no error', async () => {
        rig.refuseNextCreate('invalid')
        const error = await refusalOf(rig.cloud.instances.create(launch(), ctx))
        expect(JSON.stringify([error, error.message, String(error.stack)])).not.toMatch(/canary|Y2FuYXJ5/)
      })
    })

    describe('find', () => {
      it('finds by id and by token alone, and says absent of what is not there', async () => {
        const made = await rig.cloud.instances.create(launch(), ctx)
        expect(await rig.cloud.instances.find(refTo(launch(), made.id), ctx)).toMatchObject({ id: made.id })
        expect(await rig.cloud.instances.find(refTo(launch()), ctx)).toMatchObject({ id: made.id })
        expect(await rig.cloud.instances.find(refTo(launch({ token: 'tokenunknown' })), ctx)).toBe('absent')
        rig.vanish(made.id)
        expect(await rig.cloud.instances.find(refTo(launch(), made.id), ctx)).toBe('absent')
      })
    })

    describe('list', () => {
      it('is complete on its last page, and is empty and complete where there is nothing', async () => {
        const pages = []
        for await (const page of rig.cloud.instances.list(rig.scope, ctx)) pages.push(page)
        expect(pages.at(-1)).toMatchObject({ items: [], complete: true })
      })

      it('shows what was preempted, with the reason in the cloud’s words', async () => {
        const made = await rig.cloud.instances.create(launch(), ctx)
        await rig.settle()
        rig.preempt(made.id)
        await rig.settle()
        const [found] = await listed()
        expect(found).toMatchObject({ id: made.id, interrupted: true })
        expect(['stopped', 'terminated']).toContain(found?.state)
        expect(found?.reason?.code).toBeTruthy()
      })
    })

    it('a foreign document in place of an answer proves nothing: not an empty list, not that anything is gone', async () => {
      const made = await rig.cloud.instances.create(launch(), ctx)
      rig.answerForeign(callsForAPage)
      await refusalOf(listed())
      rig.answerForeign()
      await refusalOf(rig.cloud.instances.find(refTo(launch(), made.id), ctx))
      rig.answerForeign()
      await refusalOf(rig.cloud.instances.terminate(refTo(launch(), made.id), ctx))
      expect(rig.alive()).toBe(1)
    })

    it('one page of which the answer is lost does not fail a list: it is requested again', async () => {
      const made = await rig.cloud.instances.create(launch(), ctx)
      await rig.settle()
      rig.answerForeign(callsForAPage - 1)
      expect((await listed()).map(({ id }) => id)).toEqual([made.id])
    })

    it('a list that lacks something is not complete', async () => {
      await rig.cloud.instances.create(launch(), ctx)
      await rig.settle()
      rig.listPartially()
      const pages: InstancePage[] = []
      const listing = async () => {
        for await (const page of rig.cloud.instances.list(rig.scope, ctx)) pages.push(page)
      }
      const thrown = await listing().catch((error: unknown) => error)
      expect(thrown instanceof CloudError || pages.at(-1)?.complete === false).toBe(true)
    })

    it('a list whose pages lead back to one that was read before ends with an error', async () => {
      await rig.cloud.instances.create(launch(), ctx)
      await rig.settle()
      const pages = rig.listInCircles()
      expect(await refusalOf(listed())).toMatchObject({ kind: 'transient', code: 'EndlessList' })
      expect(pages()).toBeLessThan(5)
    })

    describe('terminate', () => {
      it('is going, then gone, and stays gone', async () => {
        const made = await rig.cloud.instances.create(launch(), ctx)
        await rig.settle()
        expect(await rig.cloud.instances.terminate(refTo(launch(), made.id), ctx)).toBe('going')
        await rig.settle()
        expect(await rig.cloud.instances.terminate(refTo(launch(), made.id), ctx)).toBe('gone')
        expect(await rig.cloud.instances.terminate(refTo(launch(), made.id), ctx)).toBe('gone')
        expect(rig.alive()).toBe(0)
      })

      it('by token alone ends what a lost answer made', async () => {
        rig.loseNextAnswer()
        await refusalOf(rig.cloud.instances.create(launch(), ctx))
        await rig.settle()
        expect(await rig.cloud.instances.terminate(refTo(launch()), ctx)).toBe('going')
        await rig.settle()
        expect(rig.alive()).toBe(0)
      })

      it.each([
        ['another owner’s', { owner: 'ownerother' }],
        ['another machine’s', { machine: 'default/m2' }],
        ['another attempt’s', { token: 'tokenanother' }],
      ])('refuses %s and leaves it alone', async (_, stranger) => {
        const made = await rig.cloud.instances.create(launch(), ctx)
        const error = await refusalOf(rig.cloud.instances.terminate(refTo(launch(stranger), made.id), ctx))
        expect(error.kind).toBe('conflict')
        expect(rig.alive()).toBe(1)
      })

      it('of what never was is gone', async () => {
        expect(await rig.cloud.instances.terminate(refTo(launch()), ctx)).toBe('gone')
      })
    })
  })
}
