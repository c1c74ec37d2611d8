import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Ctx } from '../../api/ctx.ts'
import type { Cloud } from '../../providers/cloud.ts'
import type { InstancePage, Instances } from '../../providers/instances.ts'
import type { Scope } from '../../api/scope.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { launchFor, refTo, type Rig } from './rig.ts'

/** What the cloud interface promises of the account, for every cloud. */
export function accountContract(name: string, start: () => Promise<Rig>): void {
  it(`${name} knows the account of its credentials and of each whole list, an empty one too`, async () => {
    const rig = await start()
    const ctx = quietCtx()
    expect(await rig.cloud.accountOf(rig.scope, ctx)).toBe(rig.account)
    expect(await lastPage(rig.cloud.instances, rig.scope, ctx)).toMatchObject({ items: [], account: rig.account })
    await rig.cloud.instances.create(launchFor(rig), ctx)
    await rig.settle()
    expect(await lastPage(rig.cloud.instances, rig.scope, ctx)).toMatchObject({ account: rig.account })
    await rig.close()
  })
}

/** A cloud in whose calls no account stands: the credentials decide it. */
export interface OthersRig extends Rig {
  readonly others: {
    readonly account: string
    /** The same adapter, made with credentials of another account. */
    cloud(): Cloud
    /** The subnet in which `request` asks for an instance: those others do not see it. */
    readonly subnet: string
  }
}

/** What it promises besides. */
export function othersContract(name: string, start: () => Promise<OthersRig>): void {
  describe(`${name}, where the credentials decide the account`, () => {
    let rig: OthersRig
    let ctx: Ctx

    beforeEach(async () => {
      rig = await start()
      ctx = quietCtx()
    })
    afterEach(() => rig.close())

    it('refuses every call with credentials of another one, and names both', async () => {
      const made = await rig.cloud.instances.create(launchFor(rig), ctx)
      await rig.settle()
      const { instances } = rig.others.cloud()
      const which = refTo(rig, launchFor(rig), made.id)
      const calls = [
        () => instances.create(launchFor(rig, { token: 'tokennumber2' }), ctx),
        () => instances.find(which, ctx),
        () => instances.terminate(which, ctx),
        () => lastPage(instances, rig.scope, ctx),
      ]
      for (const call of calls) {
        const message = expect.stringMatching(new RegExp(`${rig.others.account}.*${rig.account}`)) as string
        await expect(call()).rejects.toMatchObject({ kind: 'denied', code: 'OtherAccount', message })
      }
      expect(rig.creates()).toBe(1)
      expect(rig.alive()).toBe(1)
    })

    it('takes nothing for gone of which it sees not even the subnet, where nobody has said which account it is', async () => {
      const { account: _, ...scope } = rig.scope
      const made = await rig.cloud.instances.create(launchFor(rig, { scope }), ctx)
      await rig.settle()
      const which = { ...refTo(rig, launchFor(rig, { scope }), made.id), subnet: rig.others.subnet }
      const { instances } = rig.others.cloud()
      await expect(instances.find(which, ctx)).rejects.toMatchObject({ code: 'AbsenceUnproven' })
      await expect(instances.terminate(which, ctx)).rejects.toMatchObject({ code: 'AbsenceUnproven' })
      expect(rig.alive()).toBe(1)
    })

    it('takes for gone what is not there where it sees the subnet, and not where the subnet is not there either', async () => {
      const subnet = rig.others.subnet
      const made = await rig.cloud.instances.create(launchFor(rig), ctx)
      await rig.settle()
      rig.vanish(made.id)
      const which = { ...refTo(rig, launchFor(rig), made.id), subnet }
      expect(await rig.cloud.instances.find(which, ctx)).toBe('absent')
      expect(await rig.cloud.instances.terminate(which, ctx)).toBe('gone')
      const elsewhere = { ...which, subnet: `${subnet.slice(0, -4)}beef` }
      await expect(rig.cloud.instances.find(elsewhere, ctx)).rejects.toMatchObject({ code: 'AbsenceUnproven' })
      await expect(rig.cloud.instances.terminate(elsewhere, ctx)).rejects.toMatchObject({ code: 'AbsenceUnproven' })
    })
  })
}

async function lastPage(instances: Instances, scope: Scope, ctx: Ctx): Promise<InstancePage | undefined> {
  const pages: InstancePage[] = []
  for await (const page of instances.list(scope, ctx)) pages.push(page)
  return pages.at(-1)
}
