import { annotations } from '../../../api/labels.ts'
import type { KubeObject } from '../../../api/meta.ts'
import type { Attempt } from '../../../api/attempt.ts'
import type { Launch } from '../../../providers/instances.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { poolIn } from '../pools/pools.ts'
import { after, through, type BrokenWorld } from './world.ts'

const spot = 'Spot:m5.large:us-east-1a'
const none = new CloudError('capacity', { code: 'NoCapacity', message: 'There is none.' })
const begin = after(60_000, (world) => void world.makeMachine('default/m0'))

/** A fault for each law of machines that go on with another offering. */
export const brokenFallbacks: readonly BrokenWorld[] = [
  {
    fault: 'a machine goes on while its instance lives',
    says: /went on to attempt 2 while the instance of attempt 1 was alive/,
    hasFallback: true,
    happenings: [
      begin,
      after(1_000, (world) => {
        world.edit('AWSMachine', 'default/m0', (object) =>
          withAttempt(object, (attempt) => ({ ...attempt, n: 2, token: 'another' })),
        )
      }),
    ],
  },
  {
    fault: 'an instance comes of a call that was refused',
    says: /An instance came of attempt 1 of machine .*, which had gone on to attempt 2/,
    hasFallback: true,
    befall(world) {
      const refused = new Set<string>()
      through(world, (honest) => ({
        async create(want: Launch, ctx) {
          if (poolIn(want) !== spot || refused.has(want.token)) return honest.create(want, ctx)
          refused.add(want.token)
          const { refuseIf: _, ...regardless } = want
          world.clock.after(20_000, () => void honest.create(regardless, ctx).catch(() => {}))
          throw none
        },
      }))
    },
    happenings: [begin],
  },
  {
    fault: 'a machine asks again for what was refused a moment ago',
    says: /asked for default\/m0 \d+ ms after a refusal, in the pause of Spot:m5\.large/,
    hasFallback: true,
    befall(world) {
      world.apiserver.remove('InterruptionPolicy', 'default/policy')
      through(world, (honest) => ({
        create(want: Launch, ctx) {
          const { refuseIf: _, ...regardless } = want
          world.clock.after(5_000, () => void honest.create(regardless, ctx).catch(() => {}))
          return honest.create(want, ctx)
        },
      }))
    },
    happenings: [
      after(1_000, (world) => {
        world.dry(300_000, [spot])
        world.makeMachine('default/m0')
      }),
      after(60_000),
    ],
  },
  {
    fault: 'what a refused attempt has left is never removed',
    says: /still has something left of ghost/,
    hasFallback: true,
    befall: (world) =>
      through(world, (honest) => ({
        terminate: (which, ctx) =>
          which.tag.token === 'ghost' ? Promise.resolve('later') : honest.terminate(which, ctx),
      })),
    happenings: [
      begin,
      after(1_000, (world) => {
        world.edit('AWSMachine', 'default/m0', (object) =>
          withAttempt(object, (attempt) => ({ ...attempt, left: ['ghost'] })),
        )
      }),
    ],
  },
]

function withAttempt({ metadata }: KubeObject, change: (attempt: Attempt) => Attempt): object {
  const text = metadata.annotations?.[annotations.attempt]
  if (text === undefined) throw new Error('The machine has no attempt yet.')
  const changed = JSON.stringify(change(JSON.parse(text) as Attempt))
  return { metadata: { ...metadata, annotations: { ...metadata.annotations, [annotations.attempt]: changed } } }
}
