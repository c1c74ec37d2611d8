import { findCondition, setCondition } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import { machines } from '../../api/kinds.ts'
import { remediationDue } from '../../api/labels.ts'
import type { Machine } from '../../api/machine.ts'
import type { Markers } from '../../api/rules/markers.ts'
import { isNotFound } from '../runtime/client/api-error.ts'
import type { RemediationDeps } from './deps.ts'

type MarkerDeps = Pick<RemediationDeps, 'client' | 'ownWrites'>

const fieldManager = 'cluster-api-provider-spot-remediation'

/**
 * Writes the missing markers. Core looks at a Machine when its label comes, and then not again for 15 s. So the
 * condition is written before the label, and removed after it. Core then deletes a due Machine, and its MachineSet
 * creates the next one.
 */
export async function writeMarkers(machine: Machine, markers: Markers, deps: MarkerDeps, ctx: Ctx): Promise<void> {
  const writes = [() => writeCondition(machine, markers, deps, ctx), () => writeMetadata(machine, markers, deps, ctx)]
  const inOrder = markers.condition?.status === 'True' ? writes : writes.toReversed()
  for (const write of inOrder) await write().catch(unlessGone)
}

/** The Machine was deleted meanwhile, as intended. */
function unlessGone(thrown: unknown): void {
  if (!isNotFound(thrown)) throw thrown
}

type MetadataMarkers = Pick<Markers, 'labels' | 'annotations'>

/** For a Machine that is being deleted: its condition stays. */
export async function markDeleting(
  machine: Machine,
  annotations: Markers['annotations'],
  deps: MarkerDeps,
  ctx: Ctx,
): Promise<void> {
  await writeMetadata(machine, { labels: {}, annotations }, deps, ctx).catch(unlessGone)
}

async function writeMetadata(
  { metadata }: Machine,
  markers: MetadataMarkers,
  deps: MarkerDeps,
  ctx: Ctx,
): Promise<void> {
  const change = {
    ...changed('labels', metadata.labels, markers.labels),
    ...changed('annotations', metadata.annotations, markers.annotations),
  }
  if (Object.keys(change).length === 0) return
  const { namespace, name, uid } = metadata
  const patch = { metadata: { uid, ...change } }
  const written = await deps.client.mergePatch(machines, { namespace, name }, { patch }, ctx)
  deps.ownWrites.note(written, ctx.clock.monotonic())
}

/** The wanted keys that have another value. */
function changed(
  field: string,
  has: Readonly<Record<string, string>> = {},
  wanted: Readonly<Record<string, string | null>>,
): object {
  const differing = Object.entries(wanted).filter(([key, value]) => (has[key] ?? null) !== value)
  return differing.length === 0 ? {} : { [field]: Object.fromEntries(differing) }
}

/** By server-side apply with our type alone, because the other conditions belong to core. */
async function writeCondition(machine: Machine, { condition }: Markers, deps: MarkerDeps, ctx: Ctx): Promise<void> {
  const before = machine.status?.conditions?.filter(({ type }) => type === remediationDue) ?? []
  const now = ctx.clock.now()
  const after = condition ? setCondition(before, { type: remediationDue, ...condition }, now) : []
  if (after === before || (after.length === 0 && before.length === 0)) return
  const { namespace, name, uid } = machine.metadata
  const object = { metadata: { namespace, name, ...(uid ? { uid } : {}) }, status: { conditions: after } }
  const written = await deps.client.apply(machines, object, { fieldManager, force: true, subresource: 'status' }, ctx)
  deps.ownWrites.note(written, ctx.clock.monotonic())
  const said = findCondition(after, remediationDue)
  if (said)
    ctx.log.info('Remediation of a Machine', {
      Machine: `${namespace}/${name}`,
      status: said.status,
      reason: said.reason,
      says: said.message,
    })
}
