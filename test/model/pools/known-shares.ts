import { Backup, restoringMs } from '../backup.ts'
import { after } from '../broken/world.ts'
import { unreachable } from '../kube-access.ts'
import type { KnownStory } from '../known-stories.ts'
import type { Share } from './share.ts'

/** Stories in which MachineSets have had another share than they ought to have. Random ones seldom tell the first. */
export const knownShares: readonly (KnownStory & { readonly share: Share })[] = [
  {
    name: 'the answer to the write of an attempt is lost, and caches are late',
    share: { onDemandBase: 0, onDemandPercentAboveBase: 34 },
    happenings: [
      after(60_000),
      after(10_000, (world) => {
        world.managers.lagMs = 20_000
        world.wire.prepareWrite('attempt', { is: 'unanswered', error: unreachable() })
        world.core.sets.scale(3)
      }),
      after(120_000, (world) => world.core.sets.scale(4)),
    ],
  },
  {
    name: 'etcd is put back, and a Machine adopts its instance',
    share: { onDemandBase: 3, onDemandPercentAboveBase: 0 },
    happenings: [
      // The copy has the Machine, and not its attempt.
      after(1_500, (world) => {
        world.managers.lagMs = 2_000
        world.core.sets.scale(3)
      }),
      after(60_000, (world) => void (world.backup = new Backup(world))),
      after(restoringMs, (world) => world.backup?.putBack({ restarts: false })),
    ],
  },
]
