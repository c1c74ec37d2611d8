import { requests } from '../labels.ts'

export interface VanishedFacts {
  /** Instances that their machines show as alive and the cloud does not show, including this one. */
  readonly missing: number
  /** Instances that their machines show as alive, in the whole account and region. */
  readonly known: number
  /** The time since this one is missing. */
  readonly missingForMs: number
}

export const heldForMs = 60 * 60_000

/**
 * Why missing instances do not count as gone; undefined if they do. A cloud ends few instances without a trace: EC2
 * shows ended ones for an hour, others stop an instance before they delete it, or report it. If many vanish at once, a
 * mistake of ours or of the cloud is more likely, and each instance that counts as gone is replaced.
 */
export function unprovenAbsence({ missing, known, missingForMs }: VanishedFacts): string | undefined {
  const most = Math.max(2, Math.floor(known * 0.05))
  if (missing <= most || missingForMs >= heldForMs) return undefined
  return (
    `The cloud does not show ${missing} of ${known} instances, and does not report their end. More than ${most} at once are ` +
    'not counted as gone for an hour. Check the credentials and their permissions. If the instances are really gone, ' +
    `set annotation ${requests.confirmGone} on their machines.`
  )
}
