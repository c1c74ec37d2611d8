import { Sight } from '../../kit/instances/sight.ts'
import type { Instance } from './instance.ts'
import type { Instances } from './instances.ts'

/** What calls see of the instances: for lists that may be the past. Whether a name is taken is known at once. */
export class VpcSight extends Sight<Instance, Instances> {
  /** For a call by its id. */
  find(id: string): Instance | undefined {
    const instance = this.instances.get(id)
    return instance && this.isKnown(instance.createdAt) ? instance : undefined
  }
}
