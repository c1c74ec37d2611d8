import { CloudError } from '../../../api/cloud-error.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import { core } from '../../../api/labels.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import type { ObjectMeta } from '../../../api/meta.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import { kind, MachineWorld } from './machine-world.ts'

/** A new machine of a MachineDeployment, with another type to fall back to, and then on demand. */
export async function descendingWorld(): Promise<MachineWorld> {
  const world = await MachineWorld.begun()
  const { metadata, ...rest } = world.apiserver.get('Machine', 'default/m1') as never as { metadata: ObjectMeta }
  const creationTimestamp = rfc3339(world.clock.now())
  world.apiserver.put('Machine', {
    ...rest,
    metadata: { ...metadata, creationTimestamp, labels: { [core.deploymentName]: 'md' } },
  })
  descending(() => world).fallsBackTo({ instanceTypes: ['m5a.large'] }, { capacityType: 'OnDemand' })
  return world
}

/** The steps that tests of machines with `fallback` share. `world`: that of the present test. */
export function descending(world: () => MachineWorld) {
  return {
    fallsBackTo: (...fallback: object[]): void => {
      world().apiserver.put(kind, { ...(world().machine as InfraMachine), spec: { fallback } } as never)
    },
    /** The next create calls are refused. */
    refuse: (refusedKind: RefusalKind, times = 1, code = 'InsufficientInstanceCapacity') => {
      const error = new CloudError(refusedKind, { code, message: 'There is none.' })
      for (let nth = 0; nth < times; nth++) world().cloud.createFaults.push({ when: 'before', error })
    },
    asked: () => world().cloud.requests.map(({ capacityType, instanceType }) => [capacityType, instanceType].join(' ')),
    tokens: () => new Set(world().cloud.calls.flatMap(({ call, token }) => (call === 'create' ? [token] : []))),
    /** As often as it asks to be called at once. */
    passes: async (): Promise<unknown> => {
      for (;;) {
        const result = (await world().pass()) as { requeueAfterMs?: number } | 'done'
        if (result === 'done' || result.requeueAfterMs !== 0) return result
      }
    },
  }
}
