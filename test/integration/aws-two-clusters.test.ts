import { afterEach, beforeEach, expect, it } from 'vitest'
import { eventually } from '../lab/eventually.ts'
import type { Manifest } from '../lab/objects.ts'
import { instanceOf, jumpingClock, readyOf, SpotRig } from './spot-rig.ts'

let one: SpotRig
let other: SpotRig
beforeEach(async () => {
  one = await SpotRig.alone()
  other = await SpotRig.alone(one.aws)
})
afterEach(async () => {
  await other[Symbol.asyncDispose]()
  await one[Symbol.asyncDispose]()
})

it('two management clusters with the same default/c1 in one account: neither touches what is the other’s', async () => {
  for (const rig of [one, other]) {
    await rig.startManager([], jumpingClock)
    await rig.applyExamples(1)
    await rig.lab.apply(namesake(rig))
  }
  const ours = await servedBy(one)
  const theirs = await servedBy(other)
  expect(new Set([...ours, ...theirs]).size).toBe(4)

  // Long after its start each looks for what belongs to nobody, and a while later it would end it.
  for (let minutes = 0; minutes <= 20; minutes += 5) for (const rig of [one, other]) await rig.sweepLater()
  expect(ended()).toEqual([])

  await one.deleteCluster()
  expect(
    one
      .alive()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(theirs)
  expect(new Set(ended())).toEqual(new Set(ours))
  expect(await servedBy(other)).toEqual(theirs)
  await other.deleteCluster()
  expect(other.alive()).toEqual([])
  expect(new Set(ended())).toEqual(new Set([...ours, ...theirs]))
})

/** A machine that has the very same name in both: those of a MachineDeployment have random ones. */
function namesake({ namespace, aws: { facts } }: SpotRig): Manifest[] {
  const metadata = { name: 'm1', namespace, labels: { 'cluster.x-k8s.io/cluster-name': 'c1' } }
  const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSMachine', name: 'm1' }
  const bootstrap = { dataSecretName: 'c1-spot-bootstrap' }
  return [
    {
      apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
      kind: 'AWSMachine',
      metadata,
      spec: { instanceType: 'm5.large', ami: { id: facts.image }, spotMarketOptions: {} },
    } as Manifest,
    {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata,
      spec: { clusterName: 'c1', bootstrap, infrastructureRef },
    } as Manifest,
  ]
}

/** The instances of both machines, which run. Nodes there are in the first cluster only, so core is not asked. */
async function servedBy(rig: SpotRig): Promise<string[]> {
  return eventually('both machines are served', async () => {
    const made = await rig.awsMachines()
    expect(made.map((machine) => readyOf(machine)?.reason)).toEqual(['Running', 'Running'])
    return made.map(instanceOf).sort()
  })
}

function ended(): string[] {
  const calls = one.aws.control.requests().filter(({ action }) => action === 'TerminateInstances')
  return calls.flatMap(({ params }) => JSON.stringify(params).match(/i-[0-9a-f]{17}/g) ?? [])
}
