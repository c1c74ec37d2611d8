import type { Instances } from '../instances.ts'
import { Terminator } from './end/terminate.ts'
import { Creator } from './launch/create.ts'
import { Finder } from './observe/find.ts'
import { list } from './observe/list.ts'
import type { Ec2 } from './wire/client.ts'

/** EC2 behind the seam. */
export function awsInstances(ec2: Ec2): Instances {
  const finder = new Finder(ec2)
  const creator = new Creator(ec2, finder)
  const terminator = new Terminator(ec2, finder)
  return {
    create: (want, ctx) => creator.create(want, ctx),
    find: (which, ctx) => finder.find(which, ctx),
    list: (scope, ctx, asking) => list(scope, { ec2, asking }, ctx),
    terminate: (which, ctx) => terminator.terminate(which, ctx),
  }
}
