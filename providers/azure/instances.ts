import type { Instances } from '../instances.ts'
import { terminate } from './end/terminate.ts'
import { create } from './launch/create.ts'
import { Finder } from './observe/find.ts'
import { InstanceHistory } from './observe/history.ts'
import { list } from './observe/list.ts'
import type { Arm } from './wire/client.ts'

/** Azure behind the cloud interface. */
export function azureInstances(arm: Arm): Instances {
  const history = new InstanceHistory()
  const finder = new Finder(arm, history)
  const tools = { arm, finder, history }
  return {
    create: (want, ctx) => create(want, tools, ctx),
    find: (which, ctx) => finder.find(which, ctx),
    list: (scope, ctx) => list(scope, { arm, history }, ctx),
    terminate: (which, ctx) => terminate(which, tools, ctx),
  }
}
