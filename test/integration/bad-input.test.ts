import { expect, inject, it } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import { clusters, machines, spotKind } from '../../api/kinds.ts'
import type { InfraMachine } from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { labCloudNames, type LabCloudName } from '../lab/clouds/start.ts'
import { eventually } from '../lab/eventually.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import type { Manifest } from '../lab/objects.ts'
import { awsBadInputs } from './cases/aws-bad-input.ts'
import { azureBadInputs } from './cases/azure-bad-input.ts'
import { bootstrapCases, type BadInput, type BadInputs } from './cases/bad-input-cases.ts'
import { expectNoCanary } from './seen/canaries.ts'
import { gcpBadInputs } from './cases/gcp-bad-input.ts'
import { expectGrowingPauses } from './seen/growing-pauses.ts'
import { ibmBadInputs } from './cases/ibm-bad-input.ts'

const userData = '#cloud-config user-data-canary'
const patiently = { timeoutMs: 240_000 }

/** A case with the name of its objects, in its cloud. */
interface Named extends BadInput {
  readonly name: string
  /** Its own cluster, if the cluster is wrong. The others share one. */
  readonly clusterName: string
  readonly cloud: LabCloud
  readonly table: BadInputs
}

/** The namespace of the case. */
interface Place {
  readonly lab: Lab
  readonly namespace: string
}

it('in every cloud: whatever is wrong is told with its field and what to do, asked for once, mended, and deleted', async () => {
  await using lab = await startLab({
    cluster: inject('cluster'),
    manager: inject('manager'),
    clouds: labCloudNames,
    delays: { bootMs: 300 },
  })
  const place = { lab, namespace: await lab.namespace('bad') }
  await lab.manager.start({
    args: ['--poll-interval', '1s', '--namespace', place.namespace, '--log-level', 'trace'],
  })
  const { pid } = lab.manager
  const cases = tables(lab).flatMap(casesOf)
  await lab.apply(bootstrapSecrets(place.namespace))
  await Promise.all(tables(lab).map((table) => lab.apply(manifests(table, place))))

  await eventually('all is told', async () => expect(await untold(cases, place)).toEqual([]), patiently)
  for (const table of tables(lab)) await expectPeace(table, cases)
  await expectNoCanary(place)

  const mended = cases.filter(({ mend }) => mend)
  await Promise.all(mended.map((one) => mendIt(one, place)))
  await eventually('what was mended runs', async () => expect(await notRunning(mended, place)).toEqual([]), patiently)
  for (const { cloud } of tables(lab)) expectAskedOnce(cloud, cases)

  for (const { metadata } of await list<KubeObject>(clusters, place)) {
    await lab.client.delete(clusters, { namespace: place.namespace, name: metadata.name }, {}, lab.ctx)
  }
  await eventually('all is gone', async () => expect(await list(clusters, place)).toEqual([]), patiently)
  for (const { cloud } of tables(lab)) expect(cloud.leftovers(), `left in ${cloud.name}`).toBe(0)
  expect(lab.manager.running && lab.manager.pid, 'it never crashed').toBe(pid)
  await expectNoCanary(place)
})

interface CloudTable {
  readonly cloud: LabCloud
  readonly table: BadInputs
}

const badInputs: Readonly<Record<LabCloudName, BadInputs>> = {
  aws: awsBadInputs,
  azure: azureBadInputs,
  gcp: gcpBadInputs,
  ibm: ibmBadInputs,
}

function tables({ clouds }: Lab): CloudTable[] {
  return clouds.map((cloud) => ({ cloud, table: badInputs[cloud.name] }))
}

function casesOf({ cloud, table }: CloudTable): Named[] {
  return [...table.cases, ...bootstrapCases].map((one, at) => {
    const name = `${cloud.name}-bad-${at}`
    return { ...one, name, clusterName: one.cluster ? name : `${cloud.name}-good`, cloud, table }
  })
}

async function list<T>(resource: Resource, { lab, namespace }: Place): Promise<T[]> {
  return (await lab.client.list<T>(resource, { namespace }, lab.ctx)).items
}

/** The present message of each case. */
async function seen(cases: readonly Named[], place: Place) {
  const prefixes = [...new Set(cases.map(({ cloud }) => cloud.prefix))]
  const lists = await Promise.all(prefixes.map((prefix) => list<InfraMachine>(spotKind(`${prefix}Machine`), place)))
  return cases.map((one) => {
    const machine = lists.flat().find(({ metadata }) => metadata.name === one.name)
    const { reason, message = '' } = findCondition(machine?.status?.conditions, 'Ready') ?? {}
    return { one, said: { cloud: one.cloud.name, because: one.because, reason, message } }
  })
}

/** The cases without their message, with what is missing. */
async function untold(cases: readonly Named[], place: Place) {
  return (await seen(cases, place)).flatMap(({ one, said }) => {
    const missing = one.says.filter((part) => !said.message.includes(part))
    return said.reason === one.reason && missing.length === 0 ? [] : [{ ...said, missing }]
  })
}

async function notRunning(cases: readonly Named[], place: Place) {
  return (await seen(cases, place)).map(({ said }) => said).filter(({ reason }) => reason !== 'Running')
}

/** No instance is requested twice. */
function expectAskedOnce({ control, createAction, name: cloudName }: LabCloud, cases: readonly Named[]): void {
  const creates = control.requests().filter(({ action }) => action === createAction)
  const asked = cases
    .filter(({ cloud }) => cloud.name === cloudName)
    .map(({ name, because }) => {
      const names = new RegExp(`\\b${name}\\b`)
      return { because, times: creates.filter(({ params }) => names.test(JSON.stringify(params))).length }
    })
  expect(asked.filter(({ times }) => times > 1)).toEqual([])
  expect(
    asked.reduce((sum, { times }) => sum + times, 0),
    `calls of all cases in ${cloudName}`,
  ).toBe(creates.length)
}

/** During five polls no instance is requested, and refused look-ups have pauses. */
async function expectPeace({ cloud, table }: CloudTable, cases: readonly Named[]): Promise<void> {
  const { control } = cloud
  expectAskedOnce(cloud, cases)
  const before = control.requests().length
  const since = () => control.requests().slice(before)
  await eventually('five polls', () => expect(since().filter(cloud.isList).length).toBeGreaterThan(4), patiently)
  const made = since().filter(({ action }) => table.createActions.includes(action))
  expect(made, `made in ${cloud.name}`).toEqual([])
  expectGrowingPauses(control.requests())
}

function bootstrapSecrets(namespace: string): Manifest[] {
  const secret = (name: string, stringData: Record<string, string>): Manifest => {
    // For machines of many Clusters: the type shows the purpose, and there is no label of a Cluster.
    const type = 'cluster.x-k8s.io/secret'
    return Object.assign({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } }, { type, stringData })
  }
  const long = `${userData}\n${'x'.repeat(300_000)}`
  return [secret('good', { value: userData }), secret('empty', { other: userData }), secret('long', { value: long })]
}

/** Machines and their clusters, all right except the error of each case. */
function manifests(all: CloudTable, { namespace }: Place): Manifest[] {
  const { cloud, table } = all
  const cases = casesOf(all)
  const ours = { apiVersion: 'spot.cluster.x-k8s.io/v1alpha1' }
  const theirs = { apiVersion: 'cluster.x-k8s.io/v1beta2' }
  const metadataOf = (name: string, clusterName: string) => ({
    metadata: { name, namespace, labels: { 'cluster.x-k8s.io/cluster-name': clusterName } },
  })
  const refTo = (kind: string, name: string) => ({
    infrastructureRef: { apiGroup: 'spot.cluster.x-k8s.io', kind: `${cloud.prefix}${kind}`, name },
  })
  const wrong = new Map(cases.map(({ clusterName, cluster }) => [clusterName, cluster]))
  const places = [...wrong].flatMap(([name, cluster]): object[] => [
    { ...theirs, ...metadataOf(name, name), kind: 'Cluster', spec: refTo('Cluster', name) },
    {
      ...ours,
      ...metadataOf(name, name),
      kind: `${cloud.prefix}Cluster`,
      spec: { ...table.goodCluster(cloud), ...cluster },
    },
  ])
  const bootstrap = { dataSecretName: 'good' }
  const wanted = cases.flatMap(({ name, clusterName, machine, owner }): object[] => [
    {
      ...ours,
      ...metadataOf(name, clusterName),
      kind: `${cloud.prefix}Machine`,
      spec: { ...table.goodMachine(cloud), ...machine },
    },
    {
      ...theirs,
      ...metadataOf(name, clusterName),
      kind: 'Machine',
      spec: { clusterName, version: 'v1.33.0', bootstrap, ...refTo('Machine', name), ...owner },
    },
  ])
  return [...places, ...wanted] as Manifest[]
}

async function mendIt({ name, clusterName, cloud, mend }: Named, { lab, namespace }: Place): Promise<void> {
  const ref = { namespace, name }
  const { cluster, owner } = mend ?? {}
  const clusterKind = spotKind(`${cloud.prefix}Cluster`)
  if (cluster)
    await lab.client.mergePatch(clusterKind, { namespace, name: clusterName }, { patch: { spec: cluster } }, lab.ctx)
  if (owner) await lab.client.mergePatch(machines, ref, { patch: { spec: owner } }, lab.ctx)
}
