import { expect, inject, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import { clusters, spotKind } from '../../api/kinds.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { Resource } from '../../api/meta.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import type { Manifest } from '../lab/objects.ts'
import { badInputs, bootstrapCases, type BadInput, type BadInputs } from './bad-input-cases.ts'
import { expectNoCanary } from './canaries.ts'
import { expectGrowingPauses } from './growing-pauses.ts'

const userData = '#cloud-config user-data-canary'

/** A case, under the name that its objects have. */
interface Named extends BadInput {
  readonly name: string
}

/** A namespace, and the cloud that its machines go to. */
interface Place {
  readonly lab: Lab
  readonly cloud: LabCloud
  readonly namespace: string
}

it.each(badInputs)(
  '$cloud: whatever is wrong is told with its field and what to do, asked for once, and can be deleted',
  { timeout: 240_000 },
  async (table) => {
    await using lab = await startLab({ cluster: inject('cluster'), clouds: [table.cloud] })
    const place = { lab, cloud: cloudOf(table, lab), namespace: await lab.namespace('bad') }
    const args = ['--poll-interval', '1s', '--namespace', place.namespace, '--log-level', 'trace']
    await lab.manager.start({ args, env: table.secrets })
    const { pid } = lab.manager
    const cases = [...table.cases, ...bootstrapCases].map((one, at) => ({ ...one, name: `bad-${at}` }))
    await lab.apply(bootstrapSecrets(place.namespace))
    for (const one of cases) await lab.apply(manifests(one, table, place))

    await eventually(
      'all is told',
      async () => {
        const told = await list<InfraMachine>(spotKind(`${place.cloud.prefix}Machine`), place)
        expect(cases.map((one) => toldOf(one, told))).toEqual(cases.map(wanted))
      },
      { timeoutMs: 60_000 },
    )
    expectAskedOnce(cases, place)
    await expectPeace(table, place)

    await expectNoCanary(place)
    for (const { name } of cases) await lab.client.delete(clusters, { namespace: place.namespace, name }, {}, lab.ctx)
    await eventually('all is gone', async () => expect(await list(clusters, place)).toEqual([]), { timeoutMs: 60_000 })
    expect(place.cloud.alive()).toEqual([])
    expect(lab.manager.running && lab.manager.pid).toBe(pid)
    await expectNoCanary(place)
  },
)

function cloudOf({ cloud: name }: BadInputs, { clouds }: Lab): LabCloud {
  const cloud = clouds.find((one) => one.name === name)
  if (!cloud) throw new Error(`The lab has no ${name}.`)
  return cloud
}

async function list<T>(resource: Resource, { lab, namespace }: Place): Promise<T[]> {
  return (await lab.client.list<T>(resource, { namespace }, lab.ctx)).items
}

function wanted({ because, reason }: BadInput) {
  return { because, reason, missing: [] }
}

/** What of all that should be told is not. */
function toldOf({ name, because, says }: Named, machines: readonly InfraMachine[]) {
  const machine = machines.find(({ metadata }) => metadata.name === name)
  const ready = findCondition(machine?.status?.conditions, 'Ready')
  const missing = says.filter((part) => !ready?.message.includes(part))
  return { because, reason: ready?.reason, missing: missing.length > 0 ? [...missing, `in: ${ready?.message}`] : [] }
}

function expectAskedOnce(cases: readonly Named[], { cloud: { control, createAction } }: Place): void {
  const creates = control.requests().filter(({ action }) => action === createAction)
  const asked = cases.map(({ name, because }) => {
    const names = new RegExp(`\\b${name}\\b`)
    return { because, times: creates.filter(({ params }) => names.test(JSON.stringify(params))).length }
  })
  expect(asked.filter(({ times }) => times > 1)).toEqual([])
  expect(
    asked.reduce((sum, { times }) => sum + times, 0),
    'calls of all cases',
  ).toBe(creates.length)
}

/** While five polls pass no instance is asked for, and whoever was refused a look-up has taken his time. */
async function expectPeace({ pollAction }: BadInputs, { cloud: { control, createAction } }: Place): Promise<void> {
  const before = control.requests().length
  const since = (action: string) =>
    control
      .requests()
      .slice(before)
      .filter((request) => request.action === action)
  await eventually('five polls', () => expect(since(pollAction).length).toBeGreaterThan(4))
  expect(since(createAction)).toEqual([])
  expectGrowingPauses(control.requests())
}

function bootstrapSecrets(namespace: string): Manifest[] {
  const secret = (name: string, stringData: Record<string, string>): Manifest => {
    const labels = { 'cluster.x-k8s.io/cluster-name': 'bad' }
    return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace, labels }, stringData } as Manifest
  }
  const long = `${userData}\n${'x'.repeat(300_000)}`
  return [secret('good', { value: userData }), secret('empty', { other: userData }), secret('long', { value: long })]
}

/** A Cluster of one Machine, in which all is right but what the case is about. */
function manifests(
  { name, machine, cluster, owner }: Named,
  table: BadInputs,
  { cloud, namespace }: Place,
): Manifest[] {
  const metadata = { name, namespace, labels: { 'cluster.x-k8s.io/cluster-name': name } }
  const refTo = (kind: string) => ({ apiGroup: 'spot.cluster.x-k8s.io', kind: `${cloud.prefix}${kind}`, name })
  const ours = { apiVersion: 'spot.cluster.x-k8s.io/v1alpha1', metadata }
  const theirs = { apiVersion: 'cluster.x-k8s.io/v1beta2', metadata }
  const bootstrap = { dataSecretName: 'good' }
  const objects: object[] = [
    { ...theirs, kind: 'Cluster', spec: { infrastructureRef: refTo('Cluster') } },
    { ...ours, kind: `${cloud.prefix}Cluster`, spec: { ...table.goodCluster(cloud), ...cluster } },
    { ...ours, kind: `${cloud.prefix}Machine`, spec: { ...table.goodMachine(cloud), ...machine } },
    {
      ...theirs,
      kind: 'Machine',
      spec: { clusterName: name, version: 'v1.33.0', bootstrap, infrastructureRef: refTo('Machine'), ...owner },
    },
  ]
  return objects as Manifest[]
}
