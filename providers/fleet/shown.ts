import type { Ctx } from '../../api/ctx.ts'
import type { Notice } from '../../api/notice.ts'
import type { ShownList, ShownNotices } from '../notices.ts'
import type { Fleet } from './fleet.ts'
import { isUp } from './snapshot.ts'

interface Asked {
  readonly notices: ShownNotices
  readonly fleet: Fleet
  /** All that are served from the same place. */
  readonly fleets: () => readonly Fleet[]
  /** Called with each notice of an instance of ours that is up, page by page. */
  readonly onNotice: (notice: Notice) => void
}

interface Read {
  readonly list: ShownList
  /** Since when a check of the cloud fails, by instance. Undefined: the source knows no such checks. */
  readonly impaired: ReadonlyMap<string, number> | undefined
}

/** Reads one list of a source to its end. A list that fails on the way has shown its notices, and proves nothing. */
export async function readShown({ notices, fleet, fleets, onNotice }: Asked, ctx: Ctx): Promise<Read> {
  const { source } = notices
  const { scope } = fleet
  const begunAt = ctx.clock.now()
  const noticed = new Set<string>()
  const over: Notice[] = []
  let impaired: Map<string, number> | undefined
  for await (const page of notices.list(scope, ctx)) {
    const known = fleets()
    const isOurs = ({ instance }: { readonly instance: string }) => known.some((one) => isOursAndUp(one, instance))
    for (const notice of page.notices.filter(isOurs)) {
      noticed.add(notice.instance)
      onNotice(notice)
    }
    over.push(...(page.over ?? []).filter(isOurs))
    if (!page.impaired) continue
    impaired ??= new Map()
    for (const one of page.impaired.filter(isOurs)) impaired.set(one.instance, one.since)
  }
  const up = new Set(fleet.up().map(({ id }) => id))
  return { list: { source, scope, begunAt, up, noticed, over }, impaired }
}

/** The cloud shows notices for hours after the end, and also of instances to which a stranger copied our mark. */
function isOursAndUp(fleet: Fleet, id: string): boolean {
  const instance = fleet.find(id)
  return instance?.tag !== undefined && isUp(instance)
}
