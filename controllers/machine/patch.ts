import { writeAttempt, type Attempt } from '../../api/attempt.ts'
import type { Ctx } from '../../api/ctx.ts'
import type { InfraMachine } from '../../api/machine.ts'
import { finalizers } from '../../api/labels.ts'
import type { Pass } from './pass.ts'

/**
 * Merge patches of our own fields only, each with the resourceVersion that was read as its precondition: whoever wrote
 * in between, another leader of ours included, makes the write fail instead of being overwritten.
 */
async function patchInfra(pass: Pass, change: { metadata?: object; spec?: object }, ctx: Ctx): Promise<void> {
  const { name, namespace, resourceVersion } = pass.infra.metadata
  const patch = { ...change, metadata: { ...change.metadata, resourceVersion } }
  const { client, resource } = pass.deps
  pass.infra = await client.mergePatch<InfraMachine>(resource, { namespace, name }, { patch }, ctx)
  pass.deps.ownWrites.note(pass.infra, ctx.clock.monotonic())
}

export async function addFinalizer(pass: Pass, ctx: Ctx): Promise<void> {
  const present = pass.infra.metadata.finalizers ?? []
  await patchInfra(pass, { metadata: { finalizers: [...present, finalizers.machine] } }, ctx)
}

export async function removeFinalizer(pass: Pass, ctx: Ctx): Promise<void> {
  const present = pass.infra.metadata.finalizers ?? []
  await patchInfra(pass, { metadata: { finalizers: present.filter((name) => name !== finalizers.machine) } }, ctx)
}

export function hasFinalizer({ infra }: Pass): boolean {
  return infra.metadata.finalizers?.includes(finalizers.machine) ?? false
}

/** Written before the cloud is asked and after it answered; `providerID` in the same write, so that neither is without the other. */
export async function keepAttempt(
  pass: Pass,
  next: { attempt: Attempt; providerID?: string },
  ctx: Ctx,
): Promise<void> {
  await patchInfra(
    pass,
    {
      metadata: { annotations: writeAttempt(next.attempt) },
      ...(next.providerID === undefined ? {} : { spec: { providerID: next.providerID } }),
    },
    ctx,
  )
  pass.attempt = next.attempt
}
