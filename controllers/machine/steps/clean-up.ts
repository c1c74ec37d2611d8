import { readAttempt } from '../../../api/attempt.ts'
import type { CloudError } from '../../../api/cloud-error.ts'
import type { Verdict } from '../../../api/conditions.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { MachineReason } from '../../../api/reasons.ts'
import { inSentence } from '../../../api/sentence.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { end } from '../existence/end.ts'
import { goOn } from '../launch/after-refusal.ts'
import type { EndPass } from '../pass.ts'
import { whichInstance } from '../existence/which.ts'

/**
 * A cloud that says yes first and then has no capacity leaves something behind: a failed machine, a network interface,
 * a disk. This step removes it at once. An attempt may then go on in another subnet. Otherwise the object stays, so
 * that people can read why it failed.
 */
export async function cleanUp(pass: EndPass, ctx: Ctx): Promise<Result> {
  const { attempt, phase } = pass
  if (phase !== 'leftover') return 'done'
  const which = whichInstance(pass)
  if (!which || !attempt) return 'done'
  const isWanted = (fresh: InfraMachine) => isRefused(fresh, attempt.token)
  const how = await end(pass, { which, isWanted }, ctx)
  const goesOn = attempt.refused?.goesOn
  if (how !== 'gone') {
    if (goesOn && how.is === 'refused') pass.ready = stuckVerdict(how.error)
    // The message about the refusal stays: a changed status would wake the machine again.
    if (goesOn && how.is === 'resting') pass.ready = undefined
    return how
  }
  return goesOn && pass.infra.spec.providerID === undefined ? goOn(pass, ctx) : 'done'
}

/** Without it no condition says why the machine waits. */
function stuckVerdict(error: CloudError): Verdict<MachineReason> {
  return {
    status: 'Unknown',
    reason: 'Launching',
    message: `The subnet is full, and what is left there cannot be removed yet. ${inSentence(error)}. The manager tries again.`,
  }
}

function isRefused(machine: InfraMachine, token: string): boolean {
  const reading = readAttempt(machine)
  return reading.is === 'ours' && reading.attempt.token === token && reading.attempt.refused !== undefined
}
