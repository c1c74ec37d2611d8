import type { Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { InfraCluster } from '../../api/machine.ts'
import type { ClusterReason } from '../../api/reasons.ts'
import type { ClusterDeps } from './deps.ts'

/**
 * What the infrastructure cluster says while its namespace may not use its account; undefined where it may. Where no
 * account is pinned yet that of the credentials is meant: it is asked for only if that can change the answer.
 */
export async function accountBar(
  object: InfraCluster,
  deps: ClusterDeps,
  ctx: Ctx,
): Promise<Verdict<ClusterReason> | undefined> {
  const cloud = await deps.cloud()
  const scope = cloud.scopeOf(object)
  const { namespace } = object.metadata
  const obstacle = deps.notAllowed(namespace, scope)
  if (obstacle === undefined) return undefined
  const account = scope.account ?? (await cloud.accountOf(scope, ctx))
  const message = account === undefined ? obstacle : deps.notAllowed(namespace, { ...scope, account })
  return message === undefined ? undefined : { status: 'False', reason: 'AccountNotAllowed', message }
}
