import { findCondition, setCondition, type Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { InfraCluster } from '../../api/machine.ts'
import type { ClusterReason, NoticeSourceReason, PausedReason } from '../../api/reasons.ts'
import { instancesUnseen } from '../../api/rules/orphans.ts'
import { patchStatus } from '../runtime/controller/patch-status.ts'
import type { ClusterDeps } from './deps.ts'

/** By type of condition. */
export type Verdicts = Readonly<Record<string, Verdict<ClusterReason | NoticeSourceReason | PausedReason>>>

const paused: Verdict<PausedReason> = {
  status: 'True',
  reason: 'Paused',
  message: 'The Cluster or this object is paused. The manager changes nothing until you remove the pause.',
}
const notPaused: Verdict<PausedReason> = { status: 'False', reason: 'NotPaused', message: '' }

/**
 * Nobody looks at the instances of this cluster now. A later process must not believe that this one saw them. Without
 * the condition no process believes it.
 */
export function unseen({ status }: InfraCluster): Verdicts {
  return findCondition(status?.conditions, 'OrphansFound') ? { OrphansFound: instancesUnseen } : {}
}

/** Writes conditions and other fields of the status. Returns the object after the write. */
export async function writeConditions(
  object: InfraCluster,
  { verdicts, more = {} }: { verdicts: Verdicts; more?: object },
  deps: Pick<ClusterDeps, 'client' | 'resource'>,
  ctx: Ctx,
): Promise<InfraCluster> {
  const observedGeneration = object.metadata.generation ?? 0
  let conditions = object.status?.conditions ?? []
  for (const [type, verdict] of Object.entries({ Paused: notPaused, ...verdicts })) {
    conditions = [...setCondition(conditions, { type, ...verdict, observedGeneration }, ctx.clock.now())]
  }
  return (await patchStatus({ ...deps, object, status: { ...more, conditions } }, ctx)) ?? object
}

export async function writePaused(
  object: InfraCluster,
  deps: Pick<ClusterDeps, 'client' | 'resource'>,
  ctx: Ctx,
): Promise<void> {
  await writeConditions(object, { verdicts: { Paused: paused, ...unseen(object) } }, deps, ctx)
}
