import { core } from '../../api/labels.ts'
import type { KubeObject } from '../../api/meta.ts'
import { keyOf } from '../../controllers/runtime/client/resource.ts'
import { after } from './broken/world.ts'
import { launchElsewhere } from './by-hand.ts'
import type { Happening } from './happening.ts'
import { namespaces, type World } from './world.ts'

export interface KnownStory {
  readonly name: string
  readonly happenings: readonly Happening[]
}

const minutes = 60_000
const aWhile = after(1 * minutes)
/** A process that leads for ten minutes is believed to have noted what it saw. */
const untilSettled = 11 * minutes
const killed = after(1_000, (world) => world.managers.kill())
/** A second management cluster with the same etcd makes one for each Cluster. */
const elsewhere = after(untilSettled, (world) => {
  for (const namespace of namespaces) launchElsewhere(world, namespace)
})

/**
 * Stories that have broken a law, which random ones seldom tell. In each, another manager launches while ours cannot or
 * may not look. A later process of ours finds the instance there, older than the Lease.
 */
export const knownStories: readonly KnownStory[] = [
  {
    name: 'a machine holds a cluster that is being deleted',
    happenings: [
      after(30_000, (world) => void world.makeMachine('default/m0')),
      after(1 * minutes, (world) => {
        world.edit('AWSMachine', 'default/m0', paused)
        world.deleteNamespace('default')
      }),
      elsewhere,
      killed,
    ],
  },
  {
    name: 'a Cluster is paused',
    happenings: [
      aWhile,
      after(1 * minutes, (world) => pause(world, true)),
      elsewhere,
      killed,
      after(1 * minutes, (world) => pause(world, false)),
    ],
  },
  {
    name: 'a Cluster is paused, and the process that finds it so ends too',
    happenings: [
      aWhile,
      after(0, (world) => {
        world.managers.kill()
        pause(world, true)
      }),
      elsewhere,
      killed,
      after(untilSettled, (world) => pause(world, false)),
      killed,
    ],
  },
  {
    name: 'the credentials are of another account',
    happenings: [aWhile, after(1 * minutes, (world) => swapCredentials(world)), elsewhere, killed],
  },
  {
    name: 'the credentials are of another account, which a Cluster without machines follows',
    happenings: [
      aWhile,
      after(1 * minutes, (world) => {
        for (const machine of world.machines()) world.delete('AWSMachine', keyOf(machine))
      }),
      after(1 * minutes, (world) => swapCredentials(world)),
      elsewhere,
      killed,
    ],
  },
  {
    name: 'lists are partial',
    happenings: [
      aWhile,
      after(1 * minutes, ({ clock, cloud }) => void (cloud.manners.partialUntil = clock.now + 20 * minutes)),
      elsewhere,
      killed,
    ],
  },
]

function swapCredentials(world: World): void {
  world.swapCredentials(20 * minutes, { restarts: false })
}

function paused({ metadata }: KubeObject): object {
  return { metadata: { ...metadata, annotations: { ...metadata.annotations, [core.paused]: '' } } }
}

function pause(world: World, isPaused: boolean): void {
  for (const namespace of namespaces) {
    world.edit('Cluster', `${namespace}/c1`, (object) => ({
      spec: { ...(object as KubeObject & { spec: object }).spec, paused: isPaused },
    }))
  }
}
