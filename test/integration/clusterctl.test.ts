import { loadAll } from 'js-yaml'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findCondition, type Condition } from '../../api/conditions.ts'
import { clusters, machines } from '../../api/kinds.ts'
import type { Machine } from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import { componentsOf } from '../../config/components.ts'
import { releaseFiles } from '../../config/release.ts'
import { isNotFound } from '../../controllers/runtime/client/api-error.ts'
import { variablesOf } from '../support/fill.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { labCloudNames } from '../lab/clouds/start.ts'
import { Clusterctl } from '../lab/processes/clusterctl.ts'
import { eventually } from '../lab/eventually.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import { Applier, type Manifest } from '../lab/objects.ts'
import { clusterApiVersion } from '../lab/parts/recipes.ts'
import { valuesFor } from '../lab/spot-cluster.ts'
import { Supervisor } from './rigs/supervisor.ts'

const version = 'v0.1.0'
const newer = 'v0.1.1'
const namespace = 'default'
const withinMinutes = { timeoutMs: 120_000 }

const providers: Resource = {
  group: 'clusterctl.cluster.x-k8s.io',
  version: 'v1alpha3',
  plural: 'providers',
  kind: 'Provider',
  namespaced: true,
}

interface Deployment extends KubeObject {
  spec: { template: { spec: { containers: { image: string; args: string[] }[] } } }
}

let lab: Lab
let clusterctl: Clusterctl
let supervisor: Supervisor | undefined

/** Only `clusterctl init` installs here. The lab runs as processes what kubelets would run. */
beforeAll(async () => {
  lab = await startLab({
    manager: inject('manager'),
    clouds: labCloudNames,
    delays: { bootMs: 300, stopMs: 100, shutdownMs: 100 },
    async install(target) {
      clusterctl = await Clusterctl.installed(target, version)
    },
  })
})
afterAll(async () => {
  await supervisor?.[Symbol.asyncDispose]()
  await lab?.stop()
})

test('init, generate, apply, describe, upgrade, delete: the whole round on four clouds', async () => {
  expect(await installed()).toEqual([`cluster-api v${clusterApiVersion}`, `infrastructure-spot ${version}`])
  supervisor = await superviseManager()
  await Promise.all(lab.clouds.map((cloud) => generateAndApply(cloud)))
  const running = await oneMachineEach()
  for (const { name, prefix } of lab.clouds) await describesItself(name, prefix)

  await supervisor[Symbol.asyncDispose]()
  await upgrade()
  supervisor = await superviseManager()
  expect(await oneMachineEach()).toEqual(running)

  await Promise.all(lab.clouds.map(({ name }) => lab.client.delete(clusters, { namespace, name }, {}, lab.ctx)))
  await eventually(
    'all clusters are gone',
    async () => expect((await lab.client.list(clusters, { namespace }, lab.ctx)).items).toEqual([]),
    withinMinutes,
  )
  for (const cloud of lab.clouds) expect(cloud.leftovers(), `left in ${cloud.name}`).toBe(0)

  await supervisor[Symbol.asyncDispose]()
  await clusterctl.run(['delete', '--infrastructure', 'spot'])
  expect(await installed()).toEqual([`cluster-api v${clusterApiVersion}`])
  expect(await kindsLeft(), 'what clusterctl keeps unless it is told otherwise').toEqual([
    'Namespace',
    'CustomResourceDefinition',
  ])
})

async function generateAndApply(cloud: LabCloud): Promise<void> {
  const { name } = cloud
  const generate = ['generate', 'cluster', name, '--infrastructure', 'spot', '--flavor', name]
  // The name from the command.
  const required = variablesOf(releaseFiles({ version })[`cluster-template-${name}.yaml`] ?? '')
  expect(requiredIn(await clusterctl.run([...generate, '--list-variables']))).toEqual(
    required.filter((variable) => variable !== 'CLUSTER_NAME'),
  )
  const values = await valuesFor(lab, { name, namespace, workers: 1, cloud })
  await lab.apply(loadAll(await clusterctl.run([...generate, '-n', namespace], values)) as Manifest[])
}

function requiredIn(listed: string): string[] {
  const [, lines = ''] = /^Required Variables:\n((?: {2}- .*\n)+)/.exec(listed) ?? []
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^ {2}- /, '').trim()]))
}

/** The Machine of each cloud and its instance. */
async function oneMachineEach(): Promise<string[]> {
  return eventually(
    'a machine runs on each cloud',
    async () => {
      const { items } = await lab.client.list<RunningMachine>(machines, { namespace }, lab.ctx)
      const phases = items.map(({ spec, status }) => `${spec.clusterName} ${status?.phase}`)
      const said = items.map(({ status }) => findCondition(status?.conditions, 'InfrastructureReady')?.message)
      expect(phases.toSorted(), `Core says: ${said.join('; ')}`).toEqual(
        lab.clouds.map(({ name }) => `${name} Running`).toSorted(),
      )
      return items.map(({ metadata, spec }) => `${metadata.name} ${spec.providerID}`).toSorted()
    },
    withinMinutes,
  )
}

interface RunningMachine extends Machine {
  spec: Machine['spec'] & { providerID?: string }
  status?: Machine['status'] & { phase?: string; conditions?: Condition[] }
}

async function describesItself(name: string, prefix: string): Promise<void> {
  // `Cluster default/c1`; before 1.14 it was `Cluster/c1`.
  const row = (kind: string, object: string) => `\\b${kind}(/| ${namespace}/)${object}`
  await eventually(`clusterctl describes ${name}`, async () => {
    const said = await clusterctl.run(['describe', 'cluster', name, '-n', namespace, '--echo'])
    for (const line of [
      `${row('Cluster', name)} .* True +Available`,
      `${row(`${prefix}Cluster`, name)} +True +Provisioned`,
      `${row('ExternalControlPlane', name)} +True +Available`,
      `${row('MachineDeployment', `${name}-spot`)}\\b.* True +Available`,
      `${row(`${prefix}Machine`, `${name}-spot-\\S+`)} +True +Running`,
    ]) {
      expect(said).toMatch(new RegExp(line))
    }
  })
}

/**
 * Upgrades to the next release, as a person would. clusterctl replaces everything except the kinds and the objects of
 * people.
 */
async function upgrade(): Promise<void> {
  await clusterctl.offer(newer)
  expect(await clusterctl.run(['upgrade', 'plan'])).toMatch(new RegExp(`infrastructure-spot .* ${version} +${newer}`))
  await clusterctl.run(['upgrade', 'apply', '--infrastructure', `capspot-system/spot:${newer}`])
  expect(await installed()).toContain(`infrastructure-spot ${newer}`)
  expect((await manager())?.image).toMatch(new RegExp(`:${newer}$`))
}

async function installed(): Promise<string[]> {
  const { items } = await lab.client.list<KubeObject & { version: string }>(providers, {}, lab.ctx)
  return items.map((provider) => `${provider.metadata.name} ${provider.version}`).toSorted()
}

/** As a kubelet runs it, with another port and pace: a manager that cannot renew its lease in time is restarted. */
async function superviseManager(): Promise<Supervisor> {
  const { args = [] } = (await manager()) ?? {}
  const ours = args.map((arg) => arg.replace('$(POD_UID)', 'uid-of-the-pod').replace('=:8080', '=127.0.0.1:0'))
  const startManager = (all: readonly string[]) => lab.manager.start({ args: all })
  return Supervisor.start({ lab, startManager }, [...ours, '--poll-interval=1s'])
}

async function manager(): Promise<Deployment['spec']['template']['spec']['containers'][number] | undefined> {
  const deployments = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true }
  const ref = { namespace: 'capspot-system', name: 'capspot-controller-manager' }
  return (await lab.client.get<Deployment>(deployments, ref, lab.ctx)).spec.template.spec.containers[0]
}

/** The objects that config/ installs. */
async function kindsLeft(): Promise<string[]> {
  const applier = new Applier(lab.client, lab.ctx)
  const kinds = new Set<string>()
  for (const component of componentsOf()) {
    const { namespace: place = '', name } = component.metadata
    try {
      await lab.client.get(await applier.resourceOf(component), { namespace: place, name }, lab.ctx)
      kinds.add(component.kind)
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
  return [...kinds]
}
