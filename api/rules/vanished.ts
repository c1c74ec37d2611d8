import { requests } from '../labels.ts'

export interface VanishedFacts {
  /** Instances that their machines know as alive and the cloud does not show, this one among them. */
  readonly missing: number
  /** Instances that their machines know as alive, in all of the account and region. */
  readonly known: number
  /** For how long this one has been looked for in vain. */
  readonly missingForMs: number
}

export const heldForMs = 60 * 60_000

/**
 * Why instances that the cloud does not show are not taken for gone; undefined where they are. A cloud ends few
 * instances without a trace: EC2 shows ended ones for an hour, others stop before they delete, or tell of it. Many that
 * vanish at once are more likely a mistake of ours, or of the cloud, and each that is taken for gone is replaced.
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
