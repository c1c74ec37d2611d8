import { CloudError } from '../../../api/cloud-error.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import type { InstanceRef, TerminateResult } from '../../instances.ts'
import type { EndedInstances } from '../../shared/history.ts'
import { notOurs, tenantOf } from '../../shared/ownership.ts'
import type { Finder } from '../observe/find.ts'
import { readNothing } from '../wire/answers.ts'
import type { Vpc } from '../wire/client.ts'

interface Tools {
  readonly vpc: Vpc
  readonly finder: Finder
  /** Gets each instance that this ends, by its token. */
  readonly ended: EndedInstances
}

/** The disks and network interfaces of an instance end with it. */
export async function terminate(which: InstanceRef, { vpc, finder, ended }: Tools, ctx: Ctx): Promise<TerminateResult> {
  const { scope, tag } = which
  const found = await finder.find(which, ctx)
  if (found === 'absent') return 'gone'
  const { id, name = '' } = found
  if (!isOwnedBy(found, tag)) throw notOurs(`Instance ${name} (${id})`)
  if (found.state === 'terminating') return 'going'
  const request = { method: 'DELETE', path: ['instances', id] } as const
  const call = { scope, action: 'delete_instance', whose: tenantOf(tag), request, read: readNothing } as const
  try {
    await vpc.call(call, ctx)
    ended.remember(tag.token, found)
    return 'going'
  } catch (thrown) {
    if (thrown instanceof CloudError && thrown.kind === 'missing') return 'gone'
    // IBM ends an instance only when it is at rest; until then it is asked again.
    if (thrown instanceof CloudError && thrown.kind === 'conflict') return 'later'
    throw thrown
  }
}
