import type { CloudName } from '../../api/scope.ts'

/**
 * The port to the queues of other controllers. Each method names what has happened; the manager decides which queue
 * gets which object. A cache is no matter of this port: a controller watches it by itself.
 */
export interface Wakes {
  /** `digest`: the machine in the instance's tag. There may be no such machine here. */
  instanceChanged(cloud: CloudName, digest: string): void
}
