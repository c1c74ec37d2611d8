import type { Instances } from '../instances.ts'
import { terminate } from './end/terminate.ts'
import { create } from './launch/create.ts'
import { Finder } from './observe/find.ts'
import { list } from './observe/list.ts'
import type { Ec2 } from './wire/client.ts'

/** EC2 behind the cloud interface. */
export function awsInstances(ec2: Ec2): Instances {
  const finder = new Finder(ec2)
  return {
    create: (want, ctx) => create(want, { ec2, finder }, ctx),
    find: (which, ctx) => finder.find(which, ctx),
    list: (scope, ctx) => list(scope, { ec2 }, ctx),
    terminate: (which, ctx) => terminate(which, { ec2, finder }, ctx),
  }
}
