import { randomInt } from 'node:crypto'

interface Somewhere {
  /** The second number of the network's addresses. */
  readonly network: number
  readonly skippedAddresses: number
}

/**
 * Where no other simulator is. Nodes are named after addresses, and several simulators may put theirs into one cluster:
 * with the same addresses the end of one's Node would be the end of another's.
 */
export function somewhere(networks = 256): Somewhere {
  return { network: randomInt(networks), skippedAddresses: randomInt(4000) }
}
