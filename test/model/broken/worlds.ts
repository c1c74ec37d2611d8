import { vi } from 'vitest'
import { AttemptTokens } from '../../../controllers/shared/attempt-tokens.ts'
import { annotations, machineLabels, remediationDue } from '../../../api/labels.ts'
import type { KubeObject } from '../../../api/meta.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Instance } from '../../../api/instance.ts'
import type { Instances, Launch } from '../../../providers/instances.ts'
import type { Scope } from '../../../api/scope.ts'
import { tagOf } from '../../../providers/shared/ownership.ts'
import { keyOf } from '../../../controllers/runtime/client/resource.ts'
import { brokenFallbacks } from './fallbacks.ts'
import { brokenInterruptions } from './interruptions.ts'
import { brokenShares } from './shares.ts'
import { launchElsewhere } from '../by-hand.ts'
import { after, aWhile, through, type BrokenWorld } from './world.ts'
import type { World } from '../world.ts'

/** At least one fault for each law. A law that no fault can break says nothing. */
export const brokenWorlds: readonly BrokenWorld[] = [
  ...brokenInterruptions,
  ...brokenFallbacks,
  ...brokenShares,
  {
    fault: 'a cloud makes a second instance of one token',
    says: /was made while .* was alive/,
    befall: ({ cloud, wire }) => {
      cloud.manners.honoursTokens = false
      const error = new CloudError('ambiguous', { code: 'Lost', message: 'The answer is lost.' })
      wire.prepare('create', { is: 'unanswered', error })
    },
    happenings: [after(60_000, (world) => void world.makeMachine('default/m0'))],
  },
  {
    fault: 'it asks with a token that it has not written',
    says: /which no machine had written/,
    befall: (world) =>
      through(world, (honest) => ({
        create: (want, ctx) => honest.create({ ...want, token: 'unwritten' }, ctx),
      })),
    happenings: [after(60_000, (world) => void world.makeMachine('default/m0'))],
  },
  {
    fault: 'it asks elsewhere with the same token',
    says: /asked with token-\d+ for .*subnet-b.*, and before for .*subnet-a/,
    happenings: [
      after(60_000, (world) => {
        const error = new CloudError('ambiguous', { code: 'ECONNRESET', message: 'socket hang up' })
        world.wire.prepare('create', { is: 'refused', error })
        world.makeMachine('default/m0')
      }),
      after(60_000),
    ],
    befall: (world) => {
      // Whatever is written, another subnet stands there.
      world.apiserver.beforeWrite = (patch) => {
        const { annotations: noted } = (patch as { metadata?: { annotations?: Record<string, string> } }).metadata ?? {}
        const text = noted?.[annotations.attempt]
        if (text) world.clock.after(500, () => elsewhere(world))
      }
    },
  },
  {
    fault: 'it asks again for what it knows that it has',
    says: /asked for an instance for .*, of which it knew that it has one/,
    befall(world) {
      let wanted: Launch | undefined
      through(world, (honest) => ({
        create: (want, ctx) => honest.create((wanted ??= want), ctx),
        async *list(...args) {
          if (wanted) await honest.create(wanted, args[1])
          yield* honest.list(...args)
        },
      }))
    },
    happenings: [after(240_000, (world) => void world.makeMachine('default/m0'))],
  },
  {
    fault: "it ends a stranger's",
    says: /is a stranger's and was to be ended/,
    befall(world) {
      world.cloud.makeStranger(tagOf({ owner: 'stranger', machine: 'default/m0', token: 'theirs' }))
      endingAll(world, ({ tag }) => tag?.owner === 'stranger')
    },
  },
  {
    fault: 'a second holder of an owner id ends what the first one makes',
    says: /is a stranger's and was to be ended/,
    befall: () => void vi.spyOn(AttemptTokens.prototype, 'has').mockReturnValue(true),
    happenings: [after(60_000), after(20 * 60_000, (world) => launchElsewhere(world, 'default'))],
  },
  {
    fault: 'a process that begins with an older etcd ends what was made since',
    says: /is a stranger's and was to be ended/,
    befall: ({ managers }) => managers.findsLeaseRenewedAt(20 * 60_000),
    happenings: [
      after(60_000),
      after(20 * 60_000, (world) => {
        launchElsewhere(world, 'default')
        world.managers.kill()
      }),
    ],
  },
  {
    fault: 'it ends what a machine uses',
    says: /was ended although .* uses it/,
    befall: (world) => endingAll(world, ({ state }) => state === 'running'),
  },
  {
    fault: 'from some time on it sees nothing that is there',
    says: /is gone, which is alive and was shown/,
    befall(world) {
      const sees = () => world.clock.now < 120_000
      through(world, (honest) => ({
        find: (which, ctx) => (sees() ? honest.find(which, ctx) : Promise.resolve('absent')),
        async *list(...args) {
          for await (const page of honest.list(...args)) yield sees() ? page : { ...page, items: [] }
        },
      }))
    },
  },
  {
    fault: 'it takes for ended what is not',
    says: /(Something is left|Not everything comes to rest):\n.*i-1/,
    befall: (world) => through(world, () => ({ terminate: () => Promise.resolve('gone') })),
  },
  {
    fault: 'it takes credentials of another account for ours, and lets go',
    says: /went although i-\d+ is alive, in an account in which nobody looked/,
    befall: (world) => through(world, (honest) => anywhere(honest)),
    happenings: [
      after(240_000),
      after(600_000, (world) => {
        world.swapCredentials(900_000, { restarts: true })
        for (const machine of world.machines()) world.delete('AWSMachine', keyOf(machine))
      }),
    ],
  },
  {
    fault: 'it takes credentials of another account for ours, and launches',
    says: /was asked for in another account/,
    befall: (world) => through(world, (honest) => anywhere(honest)),
    happenings: [
      after(2_000, (world) => {
        world.wire.prepare('create', { is: 'slow', ms: 20_000 })
        world.makeMachine('default/m0')
      }),
      after(30_000, (world) => world.swapCredentials(60_000, { restarts: false })),
    ],
  },
  {
    fault: 'a machine gets another providerID',
    says: /The providerID of .* changed from/,
    happenings: [
      after(60_000),
      after(1_000, (world) => {
        const [one] = world.machines()
        if (one) world.edit('AWSMachine', keyOf(one), () => ({ spec: { providerID: 'aws:///zone-a/i-9' } }))
      }),
    ],
  },
  {
    fault: 'a machine that serves is replaced',
    says: /was replaced and had never failed/,
    happenings: [aWhile, after(1_000, replaceAll)],
  },
  {
    fault: 'while there is no capacity all are replaced without a pause',
    says: /machines were replaced in \d+ ms without capacity/,
    happenings: [
      after(1_000, (world) => {
        world.dry(300_000)
        for (const machine of world.machines()) world.delete('AWSMachine', keyOf(machine))
      }),
      after(30_000),
      ...Array.from({ length: 20 }, () => after(5_000, replaceAll)),
    ],
  },
  {
    fault: 'a machine asks in a pause',
    says: /asked for default\/.* after a refusal, in the pause/,
    befall: (world) => world.apiserver.remove('InterruptionPolicy', 'default/policy'),
    happenings: [
      after(1_000, (world) => {
        world.dry(300_000)
        world.makeMachine('default/m0')
      }),
      after(15_000),
      // It says that its time is over.
      after(5_000, (world) => {
        world.makeMachine('default/m1')
        world.edit('Machine', 'default/m1', ({ metadata }) => ({
          metadata: { ...metadata, creationTimestamp: '1970-01-01T00:00:00Z' },
        }))
      }),
    ],
  },
  {
    fault: 'no machine ever gets an instance',
    says: /Not everything comes to rest:\n.*is not replaced/s,
    befall(world) {
      const none = new CloudError('capacity', { code: 'NoCapacity', message: 'There is none, ever.' })
      through(world, () => ({ create: () => Promise.reject(none) }))
      for (const machine of world.machines()) world.delete('AWSMachine', keyOf(machine))
    },
  },
  {
    fault: 'it looks at everything again and again',
    says: /Nothing has changed for ten minutes, and calls are still made/,
    befall: (world) =>
      through(world, (honest) => ({
        async *list(...args) {
          for await (const page of honest.list(...args)) {
            for (const { id, tag } of page.items) if (tag) await honest.find({ scope: args[0], id, tag }, args[1])
            yield page
          }
        },
      })),
  },
]

/** Ignores the account, as before the account belonged to the scope. */
function anywhere(honest: Instances): Partial<Instances> {
  const unpinned = <T extends { scope: Scope }>(what: T) => {
    const { account: _, ...scope } = what.scope
    return { ...what, scope, subnet: undefined }
  }
  return {
    create: (want, ctx) => honest.create(unpinned(want), ctx),
    find: (which, ctx) => honest.find(unpinned(which), ctx),
    terminate: (which, ctx) => honest.terminate(unpinned(which), ctx),
    async *list(scope, ctx) {
      const { account: _, ...rest } = scope
      for await (const page of honest.list(rest, ctx)) yield { ...page, account: scope.account }
    },
  }
}

/** The manager ends every instance of this kind in its lists. */
function endingAll(world: World, which: (instance: Instance) => boolean): void {
  through(world, (honest) => ({
    async *list(...args) {
      for await (const page of honest.list(...args)) {
        for (const { id, tag } of page.items.filter(which))
          if (tag) await honest.terminate({ scope: args[0], id, tag }, args[1])
        yield page
      }
    },
  }))
}

/** All machines of the set are due, whatever their state. Nothing takes that back before core has seen it. */
function replaceAll(world: World): void {
  world.managers.kill()
  for (const machine of world.core.machinesOfSets()) {
    world.edit('Machine', keyOf(machine), (object) => {
      const { metadata, status } = object as KubeObject & { status?: object }
      const due = { type: remediationDue, status: 'True', reason: 'Due', message: '', lastTransitionTime: '' }
      const labels = { ...metadata.labels, [machineLabels.remediationDue]: '' }
      return { metadata: { ...metadata, labels }, status: { ...status, conditions: [due] } }
    })
  }
}

function elsewhere(world: World): void {
  world.edit('AWSMachine', 'default/m0', (machine) => {
    const { annotations: noted = {} } = machine.metadata
    const text = noted[annotations.attempt]?.replaceAll('subnet-a', 'subnet-b')
    return text ? { metadata: { ...machine.metadata, annotations: { ...noted, [annotations.attempt]: text } } } : {}
  })
}
