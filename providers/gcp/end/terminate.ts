import { CloudError } from '../../../api/cloud-error.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { Instance } from '../../../api/instance.ts'
import { isOwnedBy } from '../../../api/ownership.ts'
import { passing } from '../../errors.ts'
import type { InstanceRef, TerminateResult } from '../../instances.ts'
import { notOurs, tenantOf } from '../../shared/ownership.ts'
import { zoneSilent, type Finder } from '../observe/find.ts'
import type { InstanceHistory } from '../observe/history.ts'
import { partsOfId } from '../observe/state.ts'
import { shapes } from '../wire/answers.ts'
import type { Gce } from '../wire/client.ts'

interface Tools {
  readonly gce: Gce
  readonly finder: Finder
  readonly history: InstanceHistory
}

/** The disks and network interfaces of an instance end with it. */
export async function terminate(
  which: InstanceRef,
  { gce, finder, history }: Tools,
  ctx: Ctx,
): Promise<TerminateResult> {
  const { id, tag } = which
  const isAsked = id !== undefined && history.isDeleting(id, ctx.clock.monotonic())
  // The operations need not explain the absence of an instance that we have deleted ourselves.
  const found = isAsked ? await finder.present(which, ctx) : await finder.find(which, ctx)
  if (found === 'unknown') throw zoneSilent('A zone does not answer, and the instance may be there.')
  if (found === 'absent') {
    if (id !== undefined) history.gone(id)
    return 'gone'
  }
  if (!isOwnedBy(found, tag)) throw notOurs(`Instance ${found.name} (${found.id})`)
  if (found.state === 'terminated') {
    history.saw(found, ctx.clock.monotonic())
    return 'gone'
  }
  if (history.isDeleting(found.id, ctx.clock.monotonic())) return 'going'
  await deleteIt(found, { gce, which }, ctx)
  history.deletes(found.id, ctx.clock.monotonic())
  return 'going'
}

/**
 * By the numeric id: another instance may have the name by now. Without a requestId: GCE would answer with the
 * operation of a delete that failed.
 */
async function deleteIt(
  { id }: Instance,
  { gce, which: { scope, tag } }: { gce: Gce; which: InstanceRef },
  ctx: Ctx,
): Promise<void> {
  const { zone, numeric } = partsOfId(id)
  const path = ['zones', zone, 'instances', numeric]
  const what = { kind: 'compute#operation', shape: shapes.anything } as const
  const whose = tenantOf(tag)
  const call = { scope, action: 'instances.delete', whose, method: 'DELETE', path, ...what } as const
  try {
    await gce.call({ ...call, query: { fields: 'kind' } }, ctx)
  } catch (thrown) {
    throw thrown instanceof CloudError && thrown.kind === 'missing' ? passing(thrown) : thrown
  }
}
