import type { History } from '../../kit/instances/history.ts'
import { Sight } from '../../kit/instances/sight.ts'
import type { Instance, InstanceVersion } from './instance.ts'
import type { Instances } from './instances.ts'

/** What calls see of the instances: in EC2 that is the past. Launches by token do not look here. */
export class Ec2Sight extends Sight<Instance, Instances> {
  /** For a call that changes something. */
  find(id: string): Instance | undefined {
    const instance = this.instances.get(id)
    const isShown = instance && this.instances.isShown(instance)
    return isShown && this.isKnown(instance.launchedAt) ? instance : undefined
  }

  protected override seen(history: History<Instance>, moment: number): InstanceVersion | undefined {
    const version = super.seen(history, moment)
    const tags = history.known(moment - (this.unseen.tags ?? 0))?.tags ?? []
    return version && (tags === version.tags ? version : { ...version, tags })
  }
}
