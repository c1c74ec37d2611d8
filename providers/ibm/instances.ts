import type { Instances } from '../instances.ts'
import { EndedInstances } from '../shared/history.ts'
import { terminate } from './end/terminate.ts'
import { create } from './launch/create.ts'
import { Finder } from './observe/find.ts'
import { list } from './observe/list.ts'
import type { Vpc } from './wire/client.ts'

/** IBM Cloud VPC behind the cloud interface. */
export function ibmInstances(vpc: Vpc): Instances {
  const ended = new EndedInstances({ most: 1_000 })
  const finder = new Finder(vpc, ended)
  const tools = { vpc, finder, ended }
  return {
    create: (want, ctx) => create(want, tools, ctx),
    find: (which, ctx) => finder.find(which, ctx),
    list: (scope, ctx) => list(scope, { vpc }, ctx),
    terminate: (which, ctx) => terminate(which, tools, ctx),
  }
}
