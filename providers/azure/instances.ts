import type { Instances } from '../instances.ts'
import { Terminator } from './end/terminate.ts'
import { Creator } from './launch/create.ts'
import { Finder } from './observe/find.ts'
import { InstanceHistory } from './observe/history.ts'
import { list } from './observe/list.ts'
import type { Arm } from './wire/client.ts'

/** Azure behind the seam. */
export function azureInstances(arm: Arm): Instances {
  const history = new InstanceHistory()
  const finder = new Finder(arm, history)
  const creator = new Creator(arm, { finder, history })
  const terminator = new Terminator(arm, { finder, history })
  return {
    create: (want, ctx) => creator.create(want, ctx),
    find: (which, ctx) => finder.find(which, ctx),
    list: (scope, ctx, asking) => list(scope, { arm, history, asking }, ctx),
    terminate: (which, ctx) => terminator.terminate(which, ctx),
  }
}
