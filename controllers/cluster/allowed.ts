import type { Verdict } from '../../api/conditions.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { InfraCluster } from '../../api/machine.ts'
import type { ClusterReason } from '../../api/reasons.ts'
import type { ClusterDeps } from './deps.ts'

/**
 * The condition while the namespace may not use the account. Undefined: it may use it. If no account is pinned yet, the
 * account of the credentials counts. It is looked up only if it can change the answer.
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
