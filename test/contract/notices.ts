import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Ctx } from '../../api/ctx.ts'
import type { Notice, NoticeKind, NoticeSource } from '../../api/notice.ts'
import { FakeClock, hasty } from '../support/fakes/fake-clock.ts'
import { quietCtx } from '../support/fakes/quiet-ctx.ts'
import { refusalOf } from '../support/thrown-by.ts'
import type { OthersRig } from './account.ts'
import { launchFor, type Rig } from './rig.ts'

/** The switches that this suite needs besides, for one of the sources of the cloud. */
export interface NoticesRig extends OthersRig {
  readonly source: NoticeSource
  /** Of its notices. */
  readonly kind: NoticeKind
  /** The elements of its answers that hold the time of a notice, and what makes it one. */
  readonly elements: { readonly time: string; readonly reason: string }
  /** The cloud announces to the instance what this source tells of. */
  announce(id: string): void
  /** A person ends it, which is no notice of the cloud. */
  endByUser(id: string): void
  /** A stranger's spot instance that runs, with tags that look like ours. Answers with its id. */
  lookAlike(): Promise<string>
  /** The next lists of notices are answered with a document that is not the cloud's. */
  answerForeignNotices(): void
  /** The pages of the notices lead to one that was read before. */
  noticesInCircles(): () => number
  /** How many calls for notices have reached the cloud. */
  asked(): number
}

/** What a cloud promises of each source that shows notices. */
export function noticesContract(name: string, start: () => Promise<NoticesRig>): void {
  describe(`${name} shows the notices of our instances`, () => {
    let rig: NoticesRig
    let ctx: Ctx
    beforeEach(async () => {
      rig = await start()
      ctx = quietCtx({ clock: hasty(new FakeClock()) })
    })
    afterEach(() => rig.close())

    const shown = (by?: Pick<Rig, 'cloud' | 'scope'>) => shownBy({ ...rig, ...by }, ctx)
    const running = async (machine: string): Promise<string> => {
      const want = launchFor(rig, { machine: `default/${machine}`, token: `token-${machine}` })
      const { id } = await rig.cloud.instances.create(want, ctx)
      await rig.settle()
      return id
    }

    it('of the instance that it takes back, and of no other', async () => {
      const [taken] = [await running('m1'), await running('m2')]
      expect(await shown()).toEqual([])
      rig.announce(taken)
      const [notice, ...others] = await shown()
      expect(others).toEqual([])
      expect(notice).toMatchObject({ instance: taken, kind: rig.kind, source: rig.source })
      expect(notice?.deadline, 'a deadline after the notice').toBeGreaterThan(notice?.at ?? Number.NaN)
    })

    it('at once, while the instance runs; the same notice again with each list', async () => {
      const id = await running('m1')
      rig.announce(id)
      const first = await shown()
      for await (const { items } of rig.cloud.instances.list(rig.scope, ctx)) {
        expect(items.map(({ state }) => state)).toEqual(['running'])
      }
      await rig.settle()
      expect(await shown()).toEqual(first)
    })

    it('none where a user ends an instance', async () => {
      const id = await running('m1')
      rig.endByUser(id)
      expect(await shown()).toEqual([])
      await rig.settle()
      expect(await shown()).toEqual([])
    })

    it('none of another account: it is not even asked with those credentials', async () => {
      const id = await running('m1')
      rig.announce(id)
      const before = rig.asked()
      const theirs = rig.others.cloud()
      const refusal = await refusalOf(shown({ cloud: theirs, scope: rig.scope }))
      expect(refusal).toMatchObject({ kind: 'denied', code: 'OtherAccount' })
      expect(rig.asked()).toBe(before)
      const scope = { ...rig.scope, account: rig.others.account }
      expect(await shown({ cloud: theirs, scope })).toEqual([])
    })

    it("an answer that is not the cloud's is a failure, and no empty list", async () => {
      rig.answerForeignNotices()
      expect(await refusalOf(shown())).toMatchObject({ kind: 'transient' })
    })

    it('pages that lead in a circle are a failure, soon', async () => {
      for (const nth of [1, 2]) rig.announce(await running(`m${nth}`))
      const pages = rig.noticesInCircles()
      await refusalOf(shown())
      expect(pages()).toBeLessThanOrEqual(4)
    })

    it.each<[string, (elements: NoticesRig['elements']) => RegExp, string]>([
      ['ids', () => /(?<=<instanceId>)[^<]*/g, ''],
      ['times', ({ time }) => new RegExp(`<${time}>[^<]*</${time}>`, 'g'), ''],
      ['right times', ({ time }) => new RegExp(`(?<=<${time}>)[^<]*`, 'g'), 'soon'],
      ['reasons', ({ reason }) => new RegExp(`(?<=<${reason}>).*?(?=</${reason}>)`, 'gs'), ''],
      ['items', () => /<item>.*<\/item>/gs, '<item/><item>text</item>'],
    ])(
      'an answer without its %s is a CloudError or shows nothing, and the next good one is read',
      async (_, what, to) => {
        rig.announce(await running('m1'))
        const from = what(rig.elements)
        rig.tamper(({ body }) => {
          expect(body).toMatch(from)
          return body.replaceAll(from, to)
        })
        const outcome = await shown().catch((thrown: unknown) => [(thrown as Error).name])
        expect([[], ['CloudError']]).toContainEqual(outcome)
        rig.tamper(undefined)
        expect(await shown()).toHaveLength(1)
      },
    )
  })
}

/** What it promises besides of a source that can be asked for our mark. */
export function markedNoticesContract(name: string, start: () => Promise<NoticesRig>): void {
  it(`${name} shows no notices of a stranger whose tags look like ours`, async () => {
    const rig = await start()
    rig.announce(await rig.lookAlike())
    expect(await shownBy(rig, quietCtx({ clock: hasty(new FakeClock()) }))).toEqual([])
    await rig.close()
  })
}

async function shownBy({ cloud, scope, source }: Pick<NoticesRig, 'cloud' | 'scope' | 'source'>, ctx: Ctx) {
  const notices = cloud.notices?.find((one) => one.source === source)
  if (!notices) throw new Error(`${cloud.name} has no notices of ${source}.`)
  const all: Notice[] = []
  for await (const page of notices.list(scope, ctx)) all.push(...page.notices)
  return all
}
