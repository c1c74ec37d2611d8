import { scopeKey, type Scope } from '../../api/scope.ts'
import type { Instances } from '../instances.ts'
import { terminate } from './end/terminate.ts'
import { create } from './launch/create.ts'
import { Finder } from './observe/find.ts'
import { InstanceHistory } from './observe/history.ts'
import { list } from './observe/list.ts'
import type { Gce } from './wire/client.ts'

/** GCE behind the cloud interface. */
export function gcpInstances(gce: Gce): Instances {
  const finder = new Finder(gce)
  const historyOf = histories()
  return {
    async create(want, ctx) {
      const history = historyOf(want.scope)
      const made = await create(want, { gce, finder, history }, ctx)
      history.saw(made, ctx.clock.monotonic())
      return made
    },
    async find(which, ctx) {
      const found = await finder.find(which, ctx)
      if (typeof found === 'string') return found
      const now = ctx.clock.monotonic()
      const history = historyOf(which.scope)
      history.saw(found, now)
      return history.described(found, now)
    },
    list: (scope, ctx) => list(scope, { gce, history: historyOf(scope) }, ctx),
    terminate: (which, ctx) => terminate(which, { gce, finder, history: historyOf(which.scope) }, ctx),
  }
}

/** One for each project and region. */
function histories(): (scope: Scope) => InstanceHistory {
  const all = new Map<string, InstanceHistory>()
  return (scope) => {
    const history = all.get(scopeKey(scope)) ?? new InstanceHistory()
    all.set(scopeKey(scope), history)
    return history
  }
}
