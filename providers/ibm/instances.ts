import type { Instances } from '../instances.ts'
import { EndedInstances } from '../shared/history.ts'
import { Terminator } from './end/terminate.ts'
import { Creator } from './launch/create.ts'
import { Finder } from './observe/find.ts'
import { list } from './observe/list.ts'
import type { Vpc } from './wire/client.ts'

/** IBM Cloud VPC behind the seam. */
export function ibmInstances(vpc: Vpc): Instances {
  const ended = new EndedInstances({ most: 1_000 })
  const finder = new Finder(vpc, ended)
  const creator = new Creator(vpc, { finder, ended })
  const terminator = new Terminator(vpc, { finder, ended })
  return {
    create: (want, ctx) => creator.create(want, ctx),
    find: (which, ctx) => finder.find(which, ctx),
    list: (scope, ctx, asking) => list(scope, { vpc, asking }, ctx),
    terminate: (which, ctx) => terminator.terminate(which, ctx),
  }
}
