import fc from 'fast-check'
import { clearAway, comeToRest } from './ending.ts'
import type { Happening } from './happening.ts'
import { births, happening } from './happenings.ts'
import { calmManners } from './manners.ts'
import { growShare } from './pools/growth.ts'
import { droughts } from './pools/pools.ts'
import { crowds, shares, type Share } from './pools/share.ts'
import { World } from './world.ts'

/** The kind of cloud, the events in their order, and what is deleted at the end. */
export interface Story {
  readonly acceptsFirst: boolean
  readonly remembersForMs: number
  readonly clustersToo: boolean
  readonly happenings: readonly Happening[]
  /** All machines have fallback. */
  readonly hasFallback?: boolean
  /** They have it too, and this share of those of a MachineSet is on demand. */
  readonly share?: Share
  /** Of a launch that the cloud refuses at once, it keeps an interface. */
  readonly leavesParts?: boolean
}

export const story: fc.Arbitrary<Story> = fc.record({
  acceptsFirst: fc.boolean(),
  remembersForMs: fc.constantFrom(3_600_000, 0),
  clustersToo: fc.boolean(),
  happenings: fc.array(happening, { minLength: 1, maxLength: 200, size: 'max' }),
})

/** The same with droughts of single offerings. */
export const storyWithFallback: fc.Arbitrary<Story> = fc.record({
  acceptsFirst: fc.boolean(),
  remembersForMs: fc.constantFrom(3_600_000, 0),
  clustersToo: fc.boolean(),
  hasFallback: fc.constant(true),
  leavesParts: fc.boolean(),
  happenings: fc.array(
    fc.oneof({ weight: 9, arbitrary: happening }, { weight: 1, arbitrary: droughts }, { weight: 1, arbitrary: births }),
    { minLength: 1, maxLength: 200, size: 'max' },
  ),
})

/** The same with a share on demand, and more Machines. */
export const storyWithShare: fc.Arbitrary<Story> = fc.record({
  acceptsFirst: fc.boolean(),
  remembersForMs: fc.constantFrom(3_600_000, 0),
  clustersToo: fc.boolean(),
  hasFallback: fc.constant(true),
  share: fc.constantFrom(...shares),
  happenings: fc.array(
    fc.oneof({ weight: 9, arbitrary: happening }, { weight: 1, arbitrary: droughts }, { weight: 1, arbitrary: crowds }),
    { minLength: 1, maxLength: 200, size: 'max' },
  ),
})

/** The totals of all stories. */
export interface Tally {
  steps: number
  calls: number
  instances: number
  /** Machines that the manager deleted because of a notice. */
  noticed: number
  /** Machines that a MachineSet made beside one that it does not count any more. */
  ahead: number
  /** Machines whose replacement was planned. */
  planned: number
  /** Machines that waited at our hook. */
  hooked: number
  /** Attempts after a refusal, and those of them that came with something left of one. */
  wentOn: number
  left: number
  /** MachineSets whose share was judged: in all, with all their Machines, and by those that came at last. */
  shared: number
  whole: number
  grown: number
}

export const noTally: Tally = {
  steps: 0,
  calls: 0,
  instances: 0,
  noticed: 0,
  ahead: 0,
  planned: 0,
  hooked: 0,
  wentOn: 0,
  left: 0,
  shared: 0,
  whole: 0,
  grown: 0,
}

/** Throws the broken law. `spoil`: the fault of this world from its beginning. */
export async function live(
  { happenings, clustersToo, hasFallback = false, share, ...kind }: Story,
  tally: Tally,
  spoil: (world: World) => void = () => {},
): Promise<void> {
  const world = new World({ ...kind, ...calmManners(), honoursTokens: true }, { hasFallback, share })
  spoil(world)
  await world.pass(20_000)
  for (const { befall, thenMs = 0 } of happenings) {
    befall(world)
    tally.steps++
    await world.pass(thenMs)
  }
  await comeToRest(world)
  if (share) await growShare(world)
  await clearAway(world, clustersToo)
  tally.calls += Object.values(world.wire.calls).reduce((sum, count) => sum + count, 0)
  tally.instances += world.cloud.made
  const { seen, hooked } = world.interruptionLaws
  tally.noticed += seen.deleted
  tally.ahead += seen.ahead
  tally.planned += seen.planned
  tally.hooked += hooked.size
  const { wentOn, left } = world.laws.nextAttempts
  tally.wentOn += wentOn
  tally.left += left
  const { sets, whole, grown } = world.shareLaw.judged
  tally.shared += sets
  tally.whole += whole
  tally.grown += grown
}

/** The story for people, and how to repeat it. */
export function told({
  counterexample,
  errorInstance,
  seed,
  counterexamplePath,
  numRuns,
}: fc.RunDetails<[Story]>): string {
  const [story] = counterexample ?? []
  const { acceptsFirst, remembersForMs, clustersToo, happenings } = story ?? { happenings: [] }
  return [
    `Story ${numRuns} breaks a law.`,
    `  The cloud ${acceptsFirst ? 'says yes first' : 'answers when it is sure'} and ${remembersForMs ? 'shows' : 'forgets'} what has ended.`,
    ...(story ? toldOfSpecs(story) : []),
    ...happenings.map(({ sentence }) => `  ${sentence}.`),
    `  Then no more trouble; at the end ${clustersToo ? 'everything is' : 'all machines are'} deleted.`,
    errorInstance instanceof Error ? errorInstance.message : String(errorInstance),
    `Have it told again: MODEL_SEED=${seed} MODEL_PATH=${counterexamplePath} npx vitest run --project model`,
  ].join('\n')
}

function toldOfSpecs({ leavesParts, hasFallback, share }: Story): string[] {
  return [
    ...(leavesParts ? ['  It keeps interfaces of launches that it refuses.'] : []),
    ...(hasFallback ? ['  All machines have fallback.'] : []),
    ...(share ? [`  Their share on demand is ${JSON.stringify(share)}.`] : []),
  ]
}
