import { createHash } from 'node:crypto'
import type { Attempt } from '../../../api/attempt.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { refusedVerdict } from '../../../api/rules/readiness.ts'
import { obstacleToLaunch } from '../../../api/rules/launchable.ts'
import type { LaunchPlan } from '../../../providers/cloud.ts'
import { CloudError } from '../../../providers/errors.ts'
import type { Instance } from '../../../providers/instances.ts'
import type { Next } from '../../runtime/next.ts'
import { readBootstrapData } from '../bootstrap.ts'
import { onLaunchError, waitingVerdict } from '../on-error.ts'
import { hasFinalizer, keepAttempt } from '../patch.ts'
import type { Pass } from '../pass.ts'

/**
 * The one place that costs money. The attempt is written first; what is then created carries its token, so that this
 * step may be cut off anywhere and be run again by anybody.
 */
export async function launch(pass: Pass, ctx: Ctx): Promise<Next> {
  const settled = settledWithoutAsking(pass) ?? notYet(pass, ctx)
  if (settled) return settled
  const data = await readBootstrapData(pass, ctx)
  if ('missing' in data) {
    pass.ready = { status: 'Unknown', reason: 'WaitingForBootstrapData', message: data.missing }
    return { after: 15_000, why: 'the bootstrap data is not there yet' }
  }
  try {
    return await ask(pass, data.userData, ctx)
  } catch (thrown) {
    if (!(thrown instanceof CloudError)) throw thrown
    return onRefusal(pass, thrown, ctx)
  }
}

/** There is an instance, or a definite no, or nothing may be asked for now. */
function settledWithoutAsking(pass: Pass): Next | undefined {
  const { attempt, infra } = pass
  if (pass.ready || attempt?.handle || infra.spec.providerID) return 'done'
  if (attempt?.refused) {
    pass.ready = refusedVerdict(attempt.refused)
    return 'done'
  }
  const obstacle = obstacleToLaunch(pass)
  if (!obstacle) return undefined
  pass.ready = { status: 'Unknown', ...obstacle }
  return 'done'
}

function notYet(pass: Pass, ctx: Ctx): Next | undefined {
  const rest = pass.deps.pauses.rest(pass.key, ctx.clock.monotonic())
  if (rest > 0) return { after: rest, why: 'the cloud has refused; it is too early to ask again' }
  // Without it a delete would lose what this step is about to make.
  return hasFinalizer(pass) ? undefined : { after: 1_000, why: 'the finalizer is not written yet' }
}

async function ask(pass: Pass, userData: Uint8Array, ctx: Ctx): Promise<Next> {
  const { cloud, cluster, machine, infraCluster, infra, deps } = pass
  if (!infraCluster || !cluster || !machine) return 'done'
  const failureDomain = machine.spec.failureDomain
  const plan = cloud.plan({ machine: infra, cluster: infraCluster, ...(failureDomain ? { failureDomain } : {}) })
  const attempt = pass.attempt ?? (await begin(pass, plan, ctx))
  const scope = { ...attempt.scope, cloud: cloud.name }
  const { owner, token } = attempt
  const clusterName = cluster.metadata.name
  ctx.log.info('Asking for an instance', { attempt: attempt.n, ...plan.offering })
  const created = await cloud.instances.create(
    { owner, token, machine: pass.key, scope, request: plan.request, userData, clusterName },
    ctx,
  )
  deps.fleetOf(scope, cloud).note(created, ctx)
  await keepInstance(pass, attempt, created, ctx)
  return 'done'
}

/** From here on the attempt is durable; before the write nothing was asked, after it only its token is. */
async function begin(pass: Pass, { request }: LaunchPlan, ctx: Ctx): Promise<Attempt> {
  const { key, ownerId, infraCluster, cloud, deps } = pass
  if (!ownerId || !infraCluster) throw new Error('An attempt was begun for a machine that is not launchable')
  const attempt: Attempt = {
    for: key,
    owner: ownerId,
    n: 1,
    rung: 0,
    token: deps.newToken(),
    scope: cloud.scopeOf(infraCluster),
    request: createHash('sha256').update(JSON.stringify(request)).digest('base64url'),
    startedAt: rfc3339(ctx.clock.now()),
  }
  await keepAttempt(pass, { attempt }, ctx)
  return attempt
}

async function keepInstance(pass: Pass, attempt: Attempt, created: Instance, ctx: Ctx): Promise<void> {
  pass.deps.pauses.clear(pass.key)
  ctx.log.info('Instance created', { instance: created.id, state: created.state })
  pass.instance = created
  await keepAttempt(pass, { attempt: { ...attempt, handle: created.id }, providerID: created.providerID }, ctx)
}

async function onRefusal(pass: Pass, error: CloudError, ctx: Ctx): Promise<Next> {
  const action = onLaunchError[error.kind]
  switch (action.do) {
    case 'fail': {
      const { kind, code, message } = error
      const refused = { kind, code, message }
      pass.ready = refusedVerdict(refused)
      if (pass.attempt) await keepAttempt(pass, { attempt: { ...pass.attempt, refused } }, ctx)
      return 'done'
    }
    case 'retry':
    case 'hold': {
      pass.ready = waitingVerdict(action.reason, error)
      const atLeastMs = Math.max(error.retryAfterMs ?? 0, action.do === 'hold' ? action.afterMs : 0)
      const after = pass.deps.pauses.refused(pass.key, { nowMs: ctx.clock.monotonic(), atLeastMs })
      ctx.log.warn('The cloud refused the launch', {
        code: error.code,
        kind: error.kind,
        cause: error.message,
        againInMs: after,
      })
      return { after, why: `refused: ${error.code}` }
    }
  }
}
