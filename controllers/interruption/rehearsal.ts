import type { Ctx } from '../../api/ctx.ts'
import { machineSets } from '../../api/kinds.ts'
import { requests } from '../../api/labels.ts'
import type { MachineSet } from '../../api/machine.ts'
import type { Notice } from '../../api/notice.ts'
import type { EventReason } from '../../api/reasons.ts'
import { durationMs } from '../../api/rules/interruption/duration.ts'
import { isByCore } from '../../api/rules/interruption/field-manager.ts'
import { controllingMachineSet } from '../../api/rules/interruption/interrupted-machine.ts'
import { isNotFound } from '../runtime/client/api-error.ts'
import type { InterruptionDeps } from './deps.ts'
import type { Scene } from './scene.ts'

/** A fire drill that a user asks for with an annotation on a Machine. */
export async function rehearsal(scene: Scene, deps: InterruptionDeps, ctx: Ctx): Promise<Notice | undefined> {
  const { machine, instance, infra } = scene
  const asked = machine.metadata.annotations?.[requests.rehearse]
  if (asked === undefined || instance === undefined || !machine.status?.nodeRef) return undefined
  // Each new Machine of such a template would rehearse, for ever.
  const isOfTemplate = isByCore(machine.metadata, requests.rehearse) || (await isInTemplate(scene, deps, ctx))
  if (isOfTemplate) return ignored('the template of its MachineSet has it too, or had it')
  const ms = durationMs(asked)
  if (ms === undefined) return ignored('its value is no duration between 1s and 1h, such as 2m')
  const at = ctx.clock.now()
  return { instance, kind: 'Rehearsal', source: 'Annotation', at, deadline: at + ms }

  function ignored(why: string): undefined {
    const reason: EventReason = 'RehearsalIgnored'
    const message = `Annotation ${requests.rehearse} is ignored: ${why}. Correct or remove it.`
    if (infra) deps.recorder.event({ object: infra, type: 'Warning', reason, message }, ctx)
  }
}

/**
 * Core writes the template of a MachineSet first and its Machines next, but two watches have no order. So the template
 * is read anew. A rehearsal is rare, and a late cache would have all Machines of the template deleted.
 */
async function isInTemplate(
  { machine }: Scene,
  { client }: Pick<InterruptionDeps, 'client'>,
  ctx: Ctx,
): Promise<boolean> {
  const name = controllingMachineSet(machine)
  if (name === undefined) return false
  const { namespace } = machine.metadata
  try {
    const { spec } = await client.get<MachineSet>(machineSets, { namespace, name }, ctx)
    return spec.template?.metadata?.annotations?.[requests.rehearse] !== undefined
  } catch (thrown) {
    if (isNotFound(thrown)) return false
    throw thrown
  }
}
