import { expect, it } from 'vitest'
import type { EndPass, LaunchPass, Pass, Step } from './pass.ts'
import { cleanUp } from './steps/clean-up.ts'
import { ensureFinalizer } from './steps/ensure-finalizer.ts'
import { extend } from './steps/extend.ts'
import { label } from './steps/label.ts'
import { launch } from './steps/launch.ts'
import { observe } from './steps/observe.ts'
import { recover } from './steps/recover.ts'
import { terminate } from './steps/terminate.ts'

/** Whether the compiler lets this one run as a step that takes no more than this pass. */
type Runs<Given, Needs extends Pass> = Given extends Step<Needs> ? true : false
type Has<Value, Name extends string> = Name extends keyof Value ? true : false

it('only the launch step can create, and only the steps that terminate and clean up can terminate', () => {
  const harmless: readonly Step[] = [ensureFinalizer, recover, observe, extend, label]
  const creates: Step<LaunchPass> = launch
  const ends: readonly Step<EndPass>[] = [cleanUp, terminate]
  expect([...harmless, creates, ...ends]).toHaveLength(8)
  const plain: readonly [
    Runs<typeof launch, Pass>,
    Runs<typeof launch, EndPass>,
    Runs<typeof terminate, Pass>,
    Runs<typeof terminate, LaunchPass>,
    Runs<typeof cleanUp, Pass>,
    Runs<typeof cleanUp, LaunchPass>,
  ] = [false, false, false, false, false, false]
  expect(new Set(plain)).toEqual(new Set([false]))
})

it('a pass leads to no other way of creating and terminating', () => {
  const ways: readonly [
    Has<Pass, 'create'>,
    Has<Pass, 'terminate'>,
    Has<Pass['cloud']['instances'], 'create'>,
    Has<Pass['cloud']['instances'], 'terminate'>,
    Has<Pass['deps'], 'cloud'>,
  ] = [false, false, false, false, false]
  expect(new Set(ways)).toEqual(new Set([false]))
})
