import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { markInName } from '../support/tag-in-name.ts'
import type { Ctx } from '../../api/ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { Instance } from '../../api/instance.ts'
import { isOwnedBy } from '../../api/ownership.ts'
import { tagOf } from '../../providers/shared/ownership.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { launchFor, refTo, type Rig } from './rig.ts'

/** A cloud that accepts first, refuses later, and finds things by their names, needs some switches more. */
export interface AcceptingRig extends Rig {
  /** The next create is accepted; then the cloud has no capacity. */
  failAfterAcceptance(): void
  /** A stranger has an instance of this name: it carries nothing of ours. */
  takeName(name: string): Promise<void> | void
  /** Leaves behind all that a create can have made when it was cut off in its middle. */
  leaveHalfMade(name: string): Promise<void> | void
  /** How much the cloud holds besides instances that was made for them: network interfaces, disks, addresses. */
  leftovers(): number
}

/** What the cloud interface promises of clouds that say yes first and then find out. */
export function acceptingContract(name: string, start: () => Promise<AcceptingRig>): void {
  describe(`${name}, which accepts before it knows, keeps the promises of the cloud interface`, () => {
    let rig: AcceptingRig
    let ctx: Ctx
    beforeEach(async () => {
      rig = await start()
      ctx = quietCtx()
    })
    afterEach(() => rig.close())

    const listed = async (): Promise<Instance[]> => {
      const all: Instance[] = []
      for await (const page of rig.cloud.instances.list(rig.scope, ctx)) all.push(...page.items)
      return all
    }
    const remove = async (id?: string) => {
      const which = refTo(rig, launchFor(rig), id)
      for (let asked = 1; (await rig.cloud.instances.terminate(which, ctx)) !== 'gone'; asked++) {
        expect(asked).toBeLessThan(10)
        await rig.settle()
      }
    }

    it('an instance is started only when the cloud runs it', async () => {
      const made = await rig.cloud.instances.create(launchFor(rig), ctx)
      expect(made).toMatchObject({ state: 'pending', started: false })
      await rig.settle()
      expect(await listed()).toMatchObject([{ id: made.id, state: 'running', started: true }])
    })

    it('no capacity after the yes: list and look say so, and after terminate nothing is left', async () => {
      rig.failAfterAcceptance()
      const made = await rig.cloud.instances.create(launchFor(rig), ctx)
      await rig.settle()
      const shown = { id: made.id, started: false, tag: markInName(launchFor(rig)), failure: { kind: 'capacity' } }
      expect(await listed()).toMatchObject([shown])
      expect(await rig.cloud.instances.find(refTo(rig, launchFor(rig), made.id), ctx)).toMatchObject(shown)
      await remove(made.id)
      expect([rig.alive(), rig.leftovers()]).toEqual([0, 0])
    })

    it('refused at once: nothing is left', async () => {
      rig.refuseNextCreate('capacity')
      await expect(rig.cloud.instances.create(launchFor(rig), ctx)).rejects.toMatchObject({ kind: 'capacity' })
      await rig.settle()
      expect([rig.alive(), rig.leftovers()]).toEqual([0, 0])
    })

    it('ended by us: instance, network interfaces, disks and addresses are gone', async () => {
      const made = await rig.cloud.instances.create(launchFor(rig), ctx)
      await rig.settle()
      await remove(made.id)
      expect([rig.alive(), rig.leftovers()]).toEqual([0, 0])
    })

    it('what a create left that was cut off in its middle is listed with its tag, and goes by name alone', async () => {
      const name = rig.cloud.nameOf(launchFor(rig)) ?? ''
      await rig.leaveHalfMade(name)
      const half = await listed()
      expect(half.filter((one) => !isOwnedBy(one, tagOf(launchFor(rig))))).toEqual([])
      await remove()
      expect([rig.alive(), rig.leftovers()]).toEqual([0, 0])
    })

    it('what a create left that was cut off in its middle is taken up again by the same token', async () => {
      await rig.leaveHalfMade(rig.cloud.nameOf(launchFor(rig)) ?? '')
      await rig.cloud.instances.create(launchFor(rig), ctx)
      await rig.settle()
      expect(await listed()).toMatchObject([{ state: 'running', tag: markInName(launchFor(rig)) }])
    })

    it('a name that a stranger has taken is a conflict, and the stranger’s stays', async () => {
      await rig.takeName(rig.cloud.nameOf(launchFor(rig)) ?? '')
      await rig.settle()
      const before = rig.alive()
      const thrown = await rig.cloud.instances.create(launchFor(rig), ctx).catch((error: unknown) => error)
      expect(thrown).toBeInstanceOf(CloudError)
      expect((thrown as CloudError).kind).toBe('conflict')
      const ended = await rig.cloud.instances
        .terminate(refTo(rig, launchFor(rig)), ctx)
        .catch((error: unknown) => error)
      expect(ended === 'gone' || (ended instanceof CloudError && ended.kind === 'conflict')).toBe(true)
      await rig.settle()
      expect(rig.alive()).toBe(before)
    })
  })
}
