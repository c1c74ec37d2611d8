import type { Verdict } from '../../../api/conditions.ts'
import type { MachineReason } from '../../../api/reasons.ts'
import { inSentence } from '../../../api/sentence.ts'
import type { CloudError } from '../../../api/cloud-error.ts'
import type { RefusalKind } from '../../../api/refusal.ts'

/** What the loop does about a refusal of the create call. The one table; adapters only say which kind it is. */
export type LaunchAction =
  /** A definite no: the machine fails once, with the reason, and nothing more is asked for it. */
  | { do: 'fail' }
  /** The same token again, after a pause that grows with every failure. */
  | { do: 'retry'; reason: WaitingReason }
  /** A person has to act; asked again after a long pause at the earliest. */
  | { do: 'hold'; reason: WaitingReason; afterMs: number }

/** What a launch waits for that may still come of itself, or of a person. */
type WaitingReason = Extract<
  MachineReason,
  'Launching' | 'CloudUnavailable' | 'CredentialsDenied' | 'OwnershipConflict'
>

const minutes = 60_000

export const onLaunchError: Readonly<Record<RefusalKind, LaunchAction>> = {
  capacity: { do: 'fail' },
  quota: { do: 'fail' },
  price: { do: 'fail' },
  subnet: { do: 'fail' },
  reservation: { do: 'fail' },
  invalid: { do: 'fail' },
  ended: { do: 'fail' },
  throttled: { do: 'retry', reason: 'Launching' },
  transient: { do: 'retry', reason: 'CloudUnavailable' },
  ambiguous: { do: 'retry', reason: 'CloudUnavailable' },
  missing: { do: 'retry', reason: 'CloudUnavailable' },
  denied: { do: 'hold', reason: 'CredentialsDenied', afterMs: 5 * minutes },
  conflict: { do: 'hold', reason: 'OwnershipConflict', afterMs: 1 * minutes },
}

/** What the condition says meanwhile. The same error gives the same words, so that nothing is written again for it. */
export function waitingVerdict(reason: WaitingReason, error: CloudError): Verdict<MachineReason> {
  return { status: 'Unknown', reason, message: sentences[reason](error) }
}

const sentences: Readonly<Record<WaitingReason, (error: CloudError) => string>> = {
  Launching: () => 'The rate limit of the cloud delays this launch.',
  CloudUnavailable: (error) =>
    `The cloud gave no usable answer (${inSentence(error)}). The manager repeats the same request.`,
  CredentialsDenied: (error) =>
    `The cloud rejected the credentials or permissions of the manager (${inSentence(error)}). Correct them; the manager tries again within 5 minutes.`,
  OwnershipConflict: ({ message }) => message,
}
