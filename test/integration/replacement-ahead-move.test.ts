import { afterAll, beforeAll, expect, test } from 'vitest'
import { clusters } from '../../api/kinds.ts'
import type { Cluster, Machine } from '../../api/machine.ts'
import { eventually } from '../lab/eventually.ts'
import { Clusterctl } from '../lab/processes/clusterctl.ts'
import { AheadRig } from './rigs/ahead-rig.ts'
import { isAtHook, nameOf } from './rigs/machine-watch.ts'

const version = 'v0.1.0'

let clusterctl: Clusterctl
let source: AheadRig
/** Another management cluster, in the same account. */
let target: AheadRig

beforeAll(async () => {
  source = await AheadRig.alone({
    async install(to) {
      clusterctl = await Clusterctl.installed(to, version)
    },
  })
  target = await AheadRig.alone({
    accounts: source.lab,
    async install(to) {
      await Clusterctl.installed(to, version)
    },
  })
})
afterAll(async () => {
  await target?.[Symbol.asyncDispose]()
  await source?.[Symbol.asyncDispose]()
})

test('clusterctl move of a Machine at the hook: it waits there on, is replaced once, and goes', async () => {
  const old = await source.waiting(1)
  const bought = source.bought()
  await clusterctl.run(['move', '-n', source.namespace, '--to-kubeconfig', target.lab.cluster.kubeconfig])
  expect((await source.all()).map(nameOf)).toEqual([])
  const { lab, namespace } = target
  const { metadata } = await lab.client.get<Cluster>(clusters, { namespace, name: 'aws' }, lab.ctx)
  const moved = await eventually('it is deleted again, and waits at the hook', async () => {
    const found = (await target.all()).find((machine) => nameOf(machine) === nameOf(old))
    if (!found) throw new Error('It is gone.')
    expect(isAtHook(found)).toBe(true)
    expect(controllerOf(found)).toBe(metadata.uid)
    return found
  })
  await target.polls(3)
  expect(await target.now(moved)).toMatchObject({ metadata: { uid: moved.metadata.uid } })
  await target.availableAgain()
  await target.gone(moved)
  await target.available(1)
  expect(target.bought()).toBe(bought)
  expect(target.alive()).toBe(1)
  await target.end()
  expect((await source.all()).map(nameOf)).toEqual([])
})

function controllerOf({ metadata }: Machine): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid
}
