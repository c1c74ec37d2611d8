import type { Attempt } from '../../api/attempt.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { LaunchPlan, Wanted } from '../../providers/cloud.ts'
import { CloudError } from '../../providers/errors.ts'
import type { Next } from '../runtime/next.ts'
import { beginAttempt, nextAttempt } from './attempts.ts'
import { keepAnswer } from './patch.ts'
import type { Pass } from './pass.ts'
import { questionOf } from './refusal.ts'

/** Plans, writes the attempt, asks the cloud, and keeps what it answers. Throws the cloud's refusal. */
export async function ask(pass: Pass, userData: Uint8Array, ctx: Ctx): Promise<Next> {
  const wanted = wantedBy(pass)
  if (!wanted) return 'done'
  const plan = await pass.cloud.plan(wanted, ctx)
  pass.deps.pauses.clear(questionOf(pass))
  const attempt = pass.attempt ?? (await beginAttempt(pass, plan, ctx))
  try {
    await create(pass, { plan, attempt, userData }, ctx)
    return 'done'
  } catch (thrown) {
    if (!(thrown instanceof CloudError) || thrown.kind !== 'subnet' || plan.alternatives === 0) throw thrown
    ctx.log.info('Going on to another subnet', { full: plan.place, alternatives: plan.alternatives })
    const { at: _, ...anew } = wanted
    const without = [...(attempt.without ?? []), plan.place]
    const next = await pass.cloud.plan({ ...anew, without }, ctx)
    await nextAttempt(pass, { ...attempt, without }, next, ctx)
    return { after: 0, why: 'another subnet has room, perhaps' }
  }
}

function wantedBy({ infra, infraCluster, machine, attempt }: Pass): Wanted | undefined {
  if (!infraCluster || !machine) return undefined
  const { failureDomain, version } = machine.spec
  return {
    machine: infra,
    cluster: infraCluster,
    ...(failureDomain ? { failureDomain } : {}),
    ...(version ? { version } : {}),
    ...(attempt?.at ? { at: attempt.at } : {}),
    ...(attempt?.without ? { without: attempt.without } : {}),
  }
}

async function create(
  pass: Pass,
  { plan, attempt, userData }: { plan: LaunchPlan; attempt: Attempt; userData: Uint8Array },
  ctx: Ctx,
): Promise<void> {
  const { cloud, cluster, deps, key } = pass
  const { owner, token } = attempt
  const scope = { ...attempt.scope, cloud: cloud.name }
  ctx.log.info('Asking for an instance', { attempt: attempt.n, ...plan.offering })
  const created = await cloud.instances.create(
    { owner, token, machine: key, scope, request: plan.request, userData, clusterName: cluster?.metadata.name ?? '' },
    ctx,
  )
  ctx.log.info('Instance created', { instance: created.id, state: created.state })
  deps.fleetOf(scope, cloud).note(created, ctx)
  deps.pauses.clear(key)
  pass.instance = created
  await keepAnswer(pass, { attempt, answer: created }, ctx)
}
