/**
 * Where IBM's documents leave open what happens, or announce a change of it: every answer that a caller must bear. The
 * first word of each row holds until another one is said.
 */
export const behaviours = {
  /** The status in which an instance ends up for which there was no capacity. */
  capacityFailure: ['failed', 'stopped'],
  /** Where the code of a preemption stands. */
  preemptionReason: ['status_reasons', 'lifecycle_reasons'],
  /** From which status on it stands there. */
  preemptionReasonFrom: ['stopped', 'stopping'],
  /** The HTTP status of a deletion that is accepted. */
  deletion: ['204', '202'],
  /** What a deletion meets while the one before it is under way. */
  secondDeletion: ['accepted', 'refused'],
  /** What a deletion meets while the instance is pending, starting, stopping or restarting. */
  deletionInTransition: ['accepted', 'refused'],
  /** What a spot instance meets whose request says nothing of reservations. */
  spotWithoutAffinity: ['accepted', 'refused'],
  /** What a field or parameter meets that IBM does not know. */
  unknownFields: ['refused', 'ignored'],
  /** How a name that is taken is refused: by its own code, or by another one that quotes it. */
  nameTaken: ['plain', 'nested'],
  /** How a page leads to the next one. */
  nextLink: ['absolute', 'relative'],
  /** How a profile says how many virtual processors it has. */
  vcpuCount: ['fixed', 'enum'],
} as const satisfies Record<string, readonly [string, string]>

export type Behaviour = { readonly [K in keyof typeof behaviours]: (typeof behaviours)[K][number] }

export const behaviourNames = Object.keys(behaviours) as readonly (keyof Behaviour)[]

export const usualBehaviour = Object.fromEntries(
  Object.entries(behaviours).map(([name, [usual]]) => [name, usual]),
) as unknown as Behaviour
