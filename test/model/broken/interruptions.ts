import { readAttempt } from '../../../api/attempt.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import { writeInterruption } from '../../../api/interruption.ts'
import { annotations, core } from '../../../api/labels.ts'
import type { InfraMachine, Machine } from '../../../api/machine.ts'
import { ApiError } from '../../../controllers/runtime/client/api-error.ts'
import { keyOf } from '../../../controllers/runtime/client/resource.ts'
import { after, aWhile, type BrokenWorld } from './world.ts'
import { policyObject } from '../objects.ts'
import { epoch } from '../process.ts'
import type { World } from '../world.ts'

/** A fault for each law about notices. */
export const brokenInterruptions: readonly BrokenWorld[] = [
  {
    fault: 'it deletes a Machine whose end nobody has announced',
    says: /is deleted, and nobody has announced the end of its instance i-\d+/,
    befall: young,
    happenings: [aWhile, after(60_000, misheard)],
  },
  {
    fault: 'a Machine that lives is taken from its MachineSet',
    says: /lives, and its MachineSet does not count it/,
    happenings: [aWhile, after(1_000, (world) => first(world, (machine) => detach(world, machine)))],
  },
  {
    fault: 'a Machine that nobody has announced is replaced ahead',
    says: /is replaced ahead, and nobody has announced the end of its instance/,
    happenings: [
      aWhile,
      after(10_000, (world) =>
        first(world, (machine) => {
          world.core.drainMs = 60_000
          world.core.deleteMachine(keyOf(machine))
          detach(world, machine)
        }),
      ),
    ],
  },
  {
    fault: 'its hook never comes off',
    says: /Not everything comes to rest:\n(.*\n)*.* has our hook/,
    befall: (world) => {
      world.apiserver.put('InterruptionPolicy', policyObject({ minHealthySeconds: 0, drain: 'WhenReplaced' }))
      refuse(world, (noted) => noted[core.preDrainHook] === null)
    },
  },
  {
    fault: 'a noticed Machine stays',
    says: /Not everything comes to rest:\n(.*\n)*.* stays, although the end of its instance was announced/,
    befall: (world) => refuse(world, (noted) => annotations.interruption in noted),
  },
  {
    fault: 'a Machine that is recommended to be replaced stays',
    says: /Not everything comes to rest:\n(.*\n)*.* stays, although .* its replacement recommended/,
    befall: (world) => {
      world.apiserver.put('InterruptionPolicy', policyObject({ onRebalance: 'Replace', minHealthySeconds: 60 }))
      refuse(world, (noted) => String(noted[annotations.interruption]).includes('"kind":"Rebalance"'))
    },
  },
  {
    fault: 'two of a MachineDeployment are replaced as planned',
    says: /is replaced as planned beside another one/,
    befall: (world) => world.apiserver.put('InterruptionPolicy', policyObject({ maxLifetimeSeconds: 86_400 })),
    happenings: [aWhile, after(1_000, (world) => begunByHand(world, 'Lifetime'))],
  },
  {
    fault: 'a Machine is replaced as planned that no policy asks for',
    says: /is replaced as planned, and nobody has asked for it/,
    happenings: [aWhile, after(1_000, (world) => begunByHand(world, 'Lifetime'))],
  },
  {
    fault: 'more are replaced ahead than the policy allows',
    says: /is the one too many that are replaced ahead: 1 may be/,
    befall: (world) => world.apiserver.put('InterruptionPolicy', policyObject({ maxAhead: 1 })),
    happenings: [aWhile, after(1_000, (world) => begunByHand(world, 'Spot'))],
  },
  {
    fault: 'a decision is not taken back with its notice',
    says: /keeps a notice that was taken back/,
    befall: (world) => refuse(world, (noted) => noted[annotations.interruption] === null),
    happenings: [
      after(60_000, (world) => void world.makeMachine('default/m0')),
      after(30_000, (world) => world.notices.sayOnNode('default/m0', 'SpotInterruption', { comesTrue: false })),
      after(30_000, (world) => world.notices.takeBack('default/m0')),
    ],
  },
]

/** Its policy lets a Machine of any age be replaced ahead. */
function young(world: World): void {
  world.apiserver.put('InterruptionPolicy', policyObject({ minHealthySeconds: 0 }))
}

/** The cloud shows the notices of another account as if they were ours. */
function misheard(world: World): void {
  for (const { id } of world.cloud.alive()) {
    world.announcements.show({ instance: id, kind: 'Spot', at: epoch + world.clock.now, source: 'SpotRequests' })
  }
}

function first(world: World, befall: (machine: Machine) => void): void {
  const [machine] = world.core.machinesOfSets()
  if (machine) befall(machine)
}

function detach(world: World, machine: Machine): void {
  const { namespace } = machine.metadata
  const cluster = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'c1', uid: `uid-${namespace}` }
  world.edit('Machine', keyOf(machine), ({ metadata }) => ({
    metadata: { ...metadata, ownerReferences: [{ ...cluster, controller: true }] },
  }))
}

/** The API server refuses all writes with these annotations. */
function refuse(world: World, which: (annotations: Readonly<Record<string, unknown>>) => boolean): void {
  world.apiserver.beforeWrite = (patch) => {
    const { metadata } = patch as { metadata?: { annotations?: Record<string, unknown> } }
    if (!which(metadata?.annotations ?? {})) return
    throw new ApiError({ status: 500, reason: 'InternalError', message: 'Not this one' })
  }
}

/** The decision to replace it ahead stands on every Machine of the MachineSets. */
function begunByHand(world: World, kind: 'Spot' | 'Lifetime'): void {
  for (const machine of world.core.machinesOfSets()) {
    const at = rfc3339(epoch + world.clock.now)
    const common = { kind, source: 'Clock', at, act: 'Delete', isAhead: true, drain: 'WhenReplaced' } as const
    const instance = handleOf(world.core.infraOf(machine)) ?? ''
    const { namespace, name } = machine.metadata
    world.notices.note(keyOf(machine), writeInterruption({ ...common, for: `${namespace}/${name}`, instance }))
  }
}

function handleOf(infra: InfraMachine | undefined): string | undefined {
  const reading = infra && readAttempt(infra)
  return reading?.is === 'ours' ? reading.attempt.handle : undefined
}
