import { readAttempt, refusedAt, writeAttempt, type Attempt } from '../../../api/attempt.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import type { Ctx } from '../../../api/ctx.ts'
import { clusterLabelOf, type InfraMachine } from '../../../api/machine.ts'
import { annotations, finalizers, requests } from '../../../api/labels.ts'
import type { CloudError } from '../../../api/cloud-error.ts'
import type { Instance } from '../../../api/instance.ts'
import { isConflict, isDefinite, isNotFound } from '../../runtime/client/api-error.ts'
import { keyOf } from '../../runtime/client/resource.ts'
import type { Pass } from '../pass.ts'
import { phaseNow } from '../phase.ts'

/**
 * Merge patches of our own fields only, with the resourceVersion of the read as a precondition. So a write in between,
 * also by another leader of ours, makes this write fail and is not overwritten.
 */
async function patchInfra(pass: Pass, change: { metadata?: object; spec?: object }, ctx: Ctx): Promise<void> {
  const { name, namespace, resourceVersion } = pass.infra.metadata
  const patch = { ...change, metadata: { ...change.metadata, resourceVersion } }
  const { client, resource, ownWrites } = pass.deps
  try {
    pass.infra = await client.mergePatch<InfraMachine>(resource, { namespace, name }, { patch }, ctx)
  } catch (thrown) {
    if (!isDefinite(thrown)) ownWrites.markUncertain(pass.infra)
    throw thrown
  }
  pass.deps.ownWrites.note(pass.infra, ctx.clock.monotonic())
}

export async function addFinalizer(pass: Pass, ctx: Ctx): Promise<void> {
  const present = pass.infra.metadata.finalizers ?? []
  await patchInfra(pass, { metadata: { finalizers: [...present, finalizers.machine] } }, ctx)
}

/** The API server removes the object with its last finalizer. A cache that is late shows it once more. */
export async function removeFinalizer(pass: Pass, ctx: Ctx): Promise<void> {
  const { metadata } = pass.infra
  const others = metadata.finalizers?.filter((name) => name !== finalizers.machine) ?? []
  try {
    await patchInfra(pass, { metadata: { finalizers: others } }, ctx)
  } catch (thrown) {
    if (!isNotFound(thrown)) throw thrown
    pass.infra = { ...pass.infra, metadata: { ...metadata, finalizers: [] } }
  }
}

/** Whether nothing can be written to the object any more. */
export function isRemoved({ infra: { metadata } }: Pass): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0
}

export function hasFinalizer({ infra }: Pass): boolean {
  return infra.metadata.finalizers?.includes(finalizers.machine) ?? false
}

/**
 * Keeps the cloud's answer. Core writes to young objects too. If core was quicker, the write is repeated on the present
 * object, as long as that has the same attempt. To give up would cost the same call once more.
 */
export async function keepAnswer(
  pass: Pass,
  { attempt, answer }: { attempt: Attempt; answer: Instance },
  ctx: Ctx,
): Promise<void> {
  const { scope } = attempt
  const { account = answer.account } = scope
  const known = account === undefined ? scope : { ...scope, account }
  const next = { attempt: { ...attempt, scope: known, handle: answer.id }, ...providerIDOf(pass, answer) }
  await keepOutcome(pass, { before: attempt, next }, ctx)
}

interface ToKeep {
  readonly attempt: Attempt
  readonly refusal: CloudError
  readonly isFinal: boolean
  readonly goesOn?: true
  readonly leavesParts?: boolean
}

/** The same for a definite no. `isFinal`: earlier calls cannot make an instance either. */
export async function keepRefusal(
  pass: Pass,
  { attempt, refusal: { kind, code, message }, isFinal, goesOn, leavesParts }: ToKeep,
  ctx: Ctx,
): Promise<void> {
  const next = {
    attempt: {
      ...attempt,
      refused: {
        kind,
        code,
        message,
        at: refusedAt(attempt) ?? rfc3339(ctx.clock.now()),
        ...(isFinal ? { isFinal } : {}),
        ...(goesOn ? { goesOn } : {}),
        ...(leavesParts ? { leavesParts } : {}),
      },
    },
  }
  await keepOutcome(pass, { before: attempt, next }, ctx)
}

/** The same for the attempt that begins where this one ends. */
export async function keepNextAttempt(
  pass: Pass,
  { before, attempt }: { before: Attempt; attempt: Attempt },
  ctx: Ctx,
): Promise<void> {
  await keepOutcome(pass, { before, next: { attempt, isAnother: true } }, ctx)
}

interface Outcome {
  readonly before: Attempt
  readonly next: { readonly attempt: Attempt; readonly providerID?: string; readonly isAnother?: true }
}

async function keepOutcome(pass: Pass, { before, next }: Outcome, ctx: Ctx): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await keepAttempt(pass, next, ctx)
      return
    } catch (thrown) {
      if (!isConflict(thrown) || tries === 3) throw thrown
    }
    const { name, namespace } = pass.infra.metadata
    const standing = await pass.deps.client.get<InfraMachine>(pass.deps.resource, { namespace, name }, ctx)
    const reading = readAttempt(standing, before.owner)
    // The first outcome stands: another leader may already have acted on it. `pass.infra` is not replaced, so that the
    // status of this pass, which knows nothing of that outcome, is refused as well.
    if (reading.is !== 'ours' || JSON.stringify(reading.attempt) !== JSON.stringify(before)) {
      throw new Error('Something else became of the attempt while the cloud answered')
    }
    pass.infra = standing
  }
}

/**
 * Only once the cloud has started the instance: most clouds say yes first, and then find that they have no capacity.
 */
export function providerIDOf({ cloud, cluster, infra }: Pass, instance: Instance): { providerID?: string } {
  if (!instance.started) return {}
  return { providerID: cloud.providerIDOf(instance, cluster?.metadata.name ?? clusterLabelOf(infra) ?? '') }
}

/** Takes back an attempt of which nothing has come. */
export async function withdrawAttempt(pass: Pass, ctx: Ctx): Promise<void> {
  await patchInfra(pass, { metadata: { annotations: { [annotations.attempt]: null } } }, ctx)
  if (pass.machine) pass.deps.launches.end(keyOf(pass.machine))
  follow(pass, undefined)
}

/**
 * Written before the cloud is asked and after it answered; `providerID` in the same write, so that neither is without
 * the other. `isAnother`: another attempt takes the place of one that came to its end.
 */
export async function keepAttempt(
  pass: Pass,
  next: { attempt: Attempt; providerID?: string; isAnother?: true },
  ctx: Ctx,
): Promise<void> {
  // First, because a write may be done and its answer lost. Then the token still tells that it was ours.
  pass.deps.tokens.note(next.attempt.token)
  await patchInfra(
    pass,
    {
      // A person has confirmed the end of one instance. That does not count for the next attempt.
      metadata: {
        annotations: { ...writeAttempt(next.attempt), ...(next.isAnother ? { [requests.confirmGone]: null } : {}) },
      },
      ...(next.providerID === undefined ? {} : { spec: { providerID: next.providerID } }),
    },
    ctx,
  )
  follow(pass, next.attempt)
}

function follow(pass: Pass, attempt: Attempt | undefined): void {
  pass.attempt = attempt
  pass.phase = phaseNow(pass, pass.phase === 'leaving')
}
