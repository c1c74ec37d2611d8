import { rfc3339, type Verdict } from '../../conditions.ts'
import type { SystemCheckReason } from '../../reasons.ts'

/** Since when the check fails, or that it passes. Undefined: the cloud has not been asked yet. */
export type SystemCheck = number | 'passes' | undefined

/**
 * The condition SystemStatusCheck: what the cloud says of the host of the instance. Nothing follows from it. In a bad
 * hour of a zone many hosts fail at once and come back, and instances there are better than none. `wasSaid`: it stands
 * there already. Undefined: there is nothing to say.
 */
export function systemCheckVerdict(
  check: SystemCheck,
  instance: string,
  wasSaid: boolean,
): Verdict<SystemCheckReason> | undefined {
  if (check === undefined || (check === 'passes' && !wasSaid)) return undefined
  if (check === 'passes') {
    return {
      status: 'True',
      reason: 'Passed',
      message: `The cloud finds no fault of the host of instance ${instance}.`,
    }
  }
  const message =
    `The cloud has found the host of instance ${instance} impaired since ${rfc3339(check)}. ` +
    'The manager does not replace the Machine: delete it if its Pods suffer.'
  return { status: 'False', reason: 'Impaired', message }
}
