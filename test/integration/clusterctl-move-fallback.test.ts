import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Attempt } from '../../api/attempt.ts'
import { clusters, interruptionPolicies } from '../../api/kinds.ts'
import { annotations } from '../../api/labels.ts'
import type { Cluster, InfraMachine } from '../../api/machine.ts'
import { Clusterctl } from '../lab/processes/clusterctl.ts'
import { attemptOf, instanceOf, readyOf, type CloudCluster } from './rigs/cloud-cluster.ts'
import { CloudsRig } from './rigs/clouds-rig.ts'
import { changesIn, lastCall } from './seen/changes.ts'
import { patiently } from './seen/patiently.ts'

const version = 'v0.1.0'
/** clusterctl waits while an object has it, with the Clusters paused. */
const blockMove = 'clusterctl.cluster.x-k8s.io/block-move'
/** Longer than the test. */
const policy = { healthCheck: 'Managed', backoff: { initialSeconds: 3600, maxSeconds: 3600 } }

let clusterctl: Clusterctl
let source: CloudsRig
/** Another management cluster, in the same account. */
let target: CloudsRig

beforeAll(async () => {
  source = await CloudsRig.alone(undefined, {
    clouds: ['aws'],
    async install(to) {
      clusterctl = await Clusterctl.installed(to, version)
    },
  })
  target = await CloudsRig.alone(source, {
    async install(to) {
      await Clusterctl.installed(to, version)
    },
  })
  for (const rig of [source, target]) await rig.startManager()
})
afterAll(async () => {
  await target?.[Symbol.asyncDispose]()
  await source?.[Symbol.asyncDispose]()
})

test('clusterctl move of a machine that fell back: what it tried goes along, and alone keeps the closed offering from being asked', async () => {
  const [before, after] = [aws(source), aws(target)]
  const { cloud } = before
  cloud.control.noCapacity({ instanceType: cloud.types.usual })
  await before.apply(0, { spec: { fallback: [{ [cloud.types.field]: [cloud.types.other] }] } })
  const { lab, namespace, name } = before
  await lab.client.mergePatch(interruptionPolicies, { namespace, name }, { patch: { spec: policy } }, lab.ctx)
  await before.scaleTo(1)
  const [fallen] = await before.running(1)
  const kept = attemptIn(fallen)
  expect(summaryOf(kept)).toEqual({ rung: 1, type: cloud.types.other, tried: [`capacity ${cloud.types.usual}`] })

  const since = lastCall(cloud)
  await moveWithoutBackoff(before)
  const [moved] = await after.running(1)
  await patiently('the other manager has seen its instance', () => isRunning(after))
  await after.afterPolls(2)
  const [there] = await after.infraMachines()
  expect([instanceOf(there), there?.spec.providerID]).toEqual([instanceOf(fallen), fallen?.spec.providerID])
  expect(attemptIn(there)).toEqual(kept)
  expect(shownOf(there)).toEqual(shownOf(fallen))
  expect(there?.status?.attempts?.map(({ result }) => result)).toEqual(['Refused', 'Accepted'])
  expect(changesIn(cloud, since), 'nothing is bought or ended').toEqual([])

  await after.scaleTo(2)
  const next = (await after.running(2)).find(({ metadata }) => metadata.name !== moved?.metadata.name)
  expect(typesAsked(after, since)).toEqual([cloud.types.other])
  expect(summaryOf(attemptIn(next))).toEqual({ rung: 1, type: cloud.types.other, tried: [] })
  expect(cloud.alive()).toHaveLength(2)
  await after.deleteCluster()
  expect(cloud.remains()).toEqual([])
})

/** Moves it. The pauses that its infrastructure cluster names are lost on the way. */
async function moveWithoutBackoff({ lab, clusterKind, namespace, name }: CloudCluster): Promise<void> {
  const annotate = (all: Record<string, string | null>) =>
    lab.client.mergePatch(clusterKind, { namespace, name }, { patch: { metadata: { annotations: all } } }, lab.ctx)
  await annotate({ [blockMove]: '' })
  const moving = clusterctl.run(['move', '-n', namespace, '--to-kubeconfig', target.lab.cluster.kubeconfig])
  // The test awaits it later.
  moving.catch(() => {})
  await patiently('the Cluster is paused', async () => {
    expect((await source.list<Cluster>(clusters)).map(({ spec }) => spec.paused)).toEqual([true])
  })
  await annotate({ [annotations.backoff]: null, [blockMove]: null })
  await moving
}

async function isRunning(one: CloudCluster): Promise<void> {
  expect((await one.infraMachines()).map((machine) => readyOf(machine)?.reason)).toEqual(['Running'])
}

function attemptIn(machine: InfraMachine | undefined): Attempt {
  const attempt = attemptOf(machine)
  if (!attempt) throw new Error('The machine has no attempt.')
  return attempt
}

function summaryOf({ choice, tried = [] }: Attempt): object {
  const refused = tried.map(({ kind, offering }) => `${kind} ${offering.split(':')[1]}`)
  return { rung: choice?.rung, type: choice?.instanceType, tried: [...new Set(refused)] }
}

function shownOf({ status }: Partial<InfraMachine> = {}): object {
  const { capacityType, instanceType, zone, tries, attempts } = status ?? {}
  return { capacityType, instanceType, zone, tries, attempts }
}

function typesAsked({ cloud }: CloudCluster, since: number): string[] {
  const calls = cloud.control.requests().filter(({ number, action }) => number > since && action === cloud.createAction)
  return calls.map(({ params }) => String(params['InstanceType']))
}

function aws({ clusters: [one] }: CloudsRig): CloudCluster {
  if (!one) throw new Error('The lab has no cloud.')
  return one
}
