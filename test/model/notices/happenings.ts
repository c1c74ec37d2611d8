import fc from 'fast-check'
import type { InterruptionPolicySpec } from '../../../api/generated/interruption-policy.ts'
import { annotations, core } from '../../../api/labels.ts'
import type { Happening } from '../happening.ts'
import type { Truth } from '../truth.ts'
import { nthOfSets, type NodeSays } from './notices.ts'
import { policyObject } from '../objects.ts'
import { machineKeys, type World } from '../world.ts'

const nth = fc.nat({ max: 5 })
const seconds = (most: number) => fc.integer({ min: 1, max: most })
const within = fc.constantFrom(120, 120, 30, 5, undefined)
const inWords = (s: number | undefined) => (s === undefined ? 'at no certain time' : `in ${s} s`)
const said = (s: number | undefined, comesTrue: boolean) => ({
  comesTrue,
  ...(s === undefined ? {} : { inMs: s * 1_000 }),
})

const ours = (world: World) => world.cloud.alive().filter(({ isStranger }) => !isStranger)
const strangers = (world: World) => world.cloud.alive().filter(({ isStranger }) => isStranger)

function announced(whose: string, among: (world: World) => Truth[]): fc.Arbitrary<Happening> {
  return fc.tuple(nth, within, fc.boolean()).map(([n, s, comesTrue]) => ({
    sentence: `The cloud announces that ${whose} number ${n} ends ${inWords(s)}, ${comesTrue ? 'and it does' : 'but it does not'}`,
    befall: (world) => {
      const all = among(world)
      const truth = all[n % Math.max(1, all.length)]
      if (truth) world.notices.announce(truth, said(s, comesTrue))
    },
  }))
}

function ofSet(what: (key: string) => string, befall: (world: World, key: string) => void): fc.Arbitrary<Happening> {
  return nth.map((n) => ({
    sentence: what(`Machine number ${n} of the MachineSets`),
    befall: (world) => {
      const key = nthOfSets(world, n)
      if (key !== undefined) befall(world, key)
    },
  }))
}

const nodeSays: readonly NodeSays[] = [
  'Terminating',
  'SpotInterruption',
  'MaintenanceScheduled',
  'RebalanceRecommended',
  'RebalanceRecommended',
]

const recommended: fc.Arbitrary<Happening> = nth.map((n) => ({
  sentence: `The cloud recommends to replace our instance number ${n}`,
  befall: (world) => {
    const all = ours(world)
    const truth = all[n % Math.max(1, all.length)]
    if (truth) world.notices.recommend(truth)
  },
}))

const onNodes = fc.oneof(
  fc.tuple(nth, fc.constantFrom(...nodeSays), within, fc.boolean()).map(([n, type, s, comesTrue]) => ({
    sentence: `The Node of Machine number ${n} of the MachineSets says ${type} ${inWords(s)}, ${comesTrue ? 'and so it is' : 'but nothing comes of it'}`,
    befall: (world: World) => {
      const key = nthOfSets(world, n)
      if (key !== undefined) world.notices.sayOnNode(key, type, said(s, comesTrue))
    },
  })),
  ofSet(
    (which) => `The Node of ${which} takes back what it said`,
    (world, key) => world.notices.takeBack(key),
  ),
  fc.constantFrom(...machineKeys).map((key) => ({
    sentence: `The Node of ${key} says SpotInterruption`,
    befall: (world: World) => world.notices.sayOnNode(key, 'SpotInterruption', { comesTrue: false }),
  })),
  fc.constantFrom(...machineKeys).map((key) => ({
    sentence: `The Node of ${key} takes back what it said`,
    befall: (world: World) => world.notices.takeBack(key),
  })),
)

const policies: readonly (readonly [what: string, spec: Partial<InterruptionPolicySpec> | undefined])[] = [
  ['nothing', undefined],
  ['that young ones are replaced ahead', { minHealthySeconds: 0 }],
  ['that young ones are replaced ahead', { minHealthySeconds: 0 }],
  ['that a drain waits for the replacement', { minHealthySeconds: 0, drain: 'WhenReplaced' }],
  ['that a drain waits for the replacement', { minHealthySeconds: 0, drain: 'WhenReplaced' }],
  ['that replacements come afterwards', { minHealthySeconds: 0, replacement: 'Afterwards' }],
  ['that what is recommended is replaced', { onRebalance: 'Replace', minHealthySeconds: 10 }],
  ['that what is recommended is replaced', { onRebalance: 'Replace', minHealthySeconds: 10 }],
  ['that what is recommended is replaced', { onRebalance: 'Replace', minHealthySeconds: 0 }],
  ['that what is recommended is replaced', { onRebalance: 'Replace', minHealthySeconds: 10, maxAhead: 1 }],
  ['that an instance runs for a minute', { minHealthySeconds: 10, maxLifetimeSeconds: 60 }],
  ['that an instance runs for a minute', { minHealthySeconds: 10, maxLifetimeSeconds: 60 }],
  ['that one replacement ahead is enough', { minHealthySeconds: 0, maxAhead: 1 }],
  ['that a notice is a failure', { onNotice: 'Remediate' }],
  ['that a notice is only told', { onNotice: 'ConditionOnly', onRebalance: 'Cordon' }],
]

const decision = (world: World, key: string) =>
  world.apiserver.get('Machine', key)?.metadata.annotations?.[annotations.interruption]

const users = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...policies).map(([what, spec]) => policySays(what, spec)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('2m', '1s', 'soon').chain((time) =>
      ofSet(
        (which) => `A user rehearses the end of ${which}: ${time}`,
        (world, key) => world.notices.rehearse(key, time),
      ),
    ),
  },
  ofSet(
    (which) => `A user pauses ${which}`,
    (world, key) => world.notices.pause(key),
  ),
  ofSet(
    (which) => `A user resumes ${which}`,
    (world, key) => world.notices.resume(key),
  ),
  ofSet(
    (which) => `A user removes the decision of ${which}`,
    (world, key) => world.notices.note(key, { [annotations.interruption]: undefined }),
  ),
  ofSet(
    (which) => `A user removes our hook from ${which}`,
    (world, key) => world.notices.note(key, { [core.preDrainHook]: undefined }),
  ),
  ofSet(
    (which) => `A user puts our hook on ${which}`,
    (world, key) => world.notices.note(key, { [core.preDrainHook]: 'by hand' }),
  ),
  fc.tuple(nth, nth).map(([from, to]) => ({
    sentence: `A user copies the decision of Machine number ${from} of the MachineSets to number ${to}`,
    befall: (world: World) => {
      const [one, other] = [nthOfSets(world, from), nthOfSets(world, to)]
      const text = one === undefined ? undefined : decision(world, one)
      if (other !== undefined && text !== undefined) world.notices.note(other, { [annotations.interruption]: text })
    },
  })),
)

function policySays(what: string, spec: Partial<InterruptionPolicySpec> | undefined): Happening {
  return {
    sentence: `The InterruptionPolicy says ${what}`,
    befall: (world) => {
      // Another policy has backoff groups of its own.
      world.laws.droughtIsDisturbed()
      if (spec) world.apiserver.put('InterruptionPolicy', policyObject(spec))
      else world.apiserver.remove('InterruptionPolicy', 'default/policy')
    },
  }
}

/** Another MachineSet has backoff groups of its own. */
const changed =
  (befall: (world: World) => void): Happening['befall'] =>
  (world) => {
    world.laws.droughtIsDisturbed()
    befall(world)
  }

const sets = fc.oneof(
  fc.integer({ min: 0, max: 3 }).map((replicas) => ({
    sentence: `A user scales the MachineDeployment to ${replicas}`,
    befall: changed((world) => world.core.sets.scale(replicas)),
  })),
  fc.constant({
    sentence: 'A user changes the template of the MachineDeployment',
    befall: changed((world) => world.core.sets.rollOut()),
  }),
  fc.constant({
    sentence: 'A user deletes the MachineSets',
    befall: (world: World) => world.core.sets.deleteSets(),
  }),
  seconds(300).map((s) => ({
    sentence: `From now on a drain takes ${s} s`,
    befall: (world: World) => void (world.core.drainMs = s * 1_000),
  })),
)

/** Notices, and everything that people do about them. */
export const notices: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: announced('our instance', ours) },
  { weight: 1, arbitrary: announced("a stranger's instance", strangers) },
  { weight: 2, arbitrary: recommended },
  { weight: 3, arbitrary: onNodes },
  { weight: 4, arbitrary: users },
  { weight: 2, arbitrary: sets },
)
