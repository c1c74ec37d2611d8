import { readAttempt } from '../../../api/attempt.ts'
import type { CloudError } from '../../../api/cloud-error.ts'
import type { Verdict } from '../../../api/conditions.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { MachineReason } from '../../../api/reasons.ts'
import { inSentence } from '../../../api/sentence.ts'
import { hasFallback } from '../../capacity/fallback.ts'
import type { Result } from '../../runtime/controller/result.ts'
import { end, type Wait } from '../existence/end.ts'
import { goOn } from '../launch/after-refusal.ts'
import { goOnDown, isOnlyParts } from '../launch/descend.ts'
import type { EndPass } from '../pass.ts'
import { whichInstance } from '../existence/which.ts'

/**
 * A cloud that says yes first and then has no capacity leaves something behind: a failed machine, a network interface,
 * a disk. This step removes it at once. An attempt may then go on in another subnet. Otherwise the object stays, so
 * that people can read why it failed.
 */
export async function cleanUp(pass: EndPass, ctx: Ctx): Promise<Result> {
  const { attempt, phase, infra } = pass
  const which = whichInstance(pass)
  if (phase !== 'leftover' || !which || !attempt?.refused) return 'done'
  const goesOn = attempt.refused.goesOn === true && infra.spec.providerID === undefined
  if (goesOn && isOnlyParts(pass)) return goOnDown(pass, ctx)
  const isWanted = (fresh: InfraMachine) => isRefused(fresh, attempt.token)
  const how = await end(pass, { which, isWanted }, ctx)
  if (how === 'gone') return goesOn ? goOnAfter(pass, ctx) : 'done'
  if (attempt.refused.goesOn) say(pass, how)
  return how
}

function goOnAfter(pass: EndPass, ctx: Ctx): Promise<Result> {
  return hasFallback(pass.infra) ? goOnDown(pass, ctx) : goOn(pass, ctx)
}

function say(pass: EndPass, how: Wait): void {
  if (how.is === 'refused') pass.ready = stuckVerdict(how.error, hasFallback(pass.infra))
  // The message about the refusal stays: a changed status would wake the machine again.
  if (how.is === 'resting') pass.ready = undefined
}

/** Without it no condition says why the machine waits. */
function stuckVerdict(error: CloudError, isDown: boolean): Verdict<MachineReason> {
  const why = isDown ? 'The cloud refused the instance' : 'The subnet is full'
  return {
    status: 'Unknown',
    reason: 'Launching',
    message: `${why}, and what is left there cannot be removed yet. ${inSentence(error)}. The manager tries again.`,
  }
}

function isRefused(machine: InfraMachine, token: string): boolean {
  const reading = readAttempt(machine)
  return reading.is === 'ours' && reading.attempt.token === token && reading.attempt.refused !== undefined
}
