import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clusters as coreClusters, machineDeployments, machines, machineSets, spotKind } from '../../api/kinds.ts'
import { annotations, requests } from '../../api/labels.ts'
import type { KubeObject, ObjectMeta, Resource } from '../../api/meta.ts'
import type { CloudName } from '../../api/scope.ts'
import { createClient, type KubeClient } from '../../controllers/runtime/client/client.ts'
import { loadConnection } from '../../controllers/runtime/client/kubeconfig.ts'
import { clouds, supportedClouds } from '../../providers/registry.ts'
import { eventually } from '../lab/eventually.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import { azureMachine } from './cases/azure-machine-cases.ts'
import { cluster as awsCluster, machine as awsMachine } from './cases/crd-cases.ts'
import { gcpMachine } from './cases/gcp-machine-cases.ts'
import { ibmMachine } from './cases/ibm-machine-cases.ts'
import { asUser } from './rigs/users.ts'

const namespace = 'default'
const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']
const everything = [
  { apiGroups: ['spot.cluster.x-k8s.io'], resources: [...spotKinds()], verbs },
  { apiGroups: ['cluster.x-k8s.io'], resources: ['clusters', 'machinedeployments', 'machines', 'machinesets'], verbs },
]

function spotKinds(): string[] {
  return Object.values(clouds).flatMap(({ machines, clusters }) => [machines.plural, clusters.plural])
}

let lab: Lab
let tenant: KubeClient
/** May do anything but delete. */
let writer: KubeClient
let restorer: KubeClient
let manager: KubeClient
let made = 0

beforeAll(async () => {
  lab = await startLab()
  tenant = await asUser('tenant', { rules: everything }, { lab, namespace })
  const rules = everything.map((rule) => ({ ...rule, verbs: verbs.filter((verb) => verb !== 'delete') }))
  writer = await asUser('writer', { rules }, { lab, namespace })
  restorer = await asUser('restorer', { rules: everything, roles: ['capspot-system-restore'] }, { lab, namespace })
  manager = createClient(await loadConnection(lab.cluster.managerKubeconfig, lab.ctx), { userAgent: 'manager' })
  await eventually('the policy holds', () =>
    expect(create(tenant, spotKind('AWSMachine'), { spec: awsMachine, key: annotations.attempt })).rejects.toThrow(
      'capspot-provider-annotations',
    ),
  )
})
afterAll(async () => {
  await Promise.all([tenant, writer, restorer, manager].map((client) => client.close()))
  await lab.stop()
})

interface Guarded {
  readonly resource: Resource
  readonly spec: object
  readonly keys: readonly string[]
}

const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 'spot' }
const machine = { clusterName: 'c1', bootstrap: { dataSecretName: 'bootstrap' }, infrastructureRef }
const pool = { clusterName: 'c1', replicas: 0, template: { spec: machine } }
const specs: Readonly<Record<CloudName, { machine: object; cluster: object }>> = {
  aws: { machine: awsMachine, cluster: awsCluster },
  azure: {
    machine: azureMachine,
    cluster: { location: 'westeurope', resourceGroup: 'g', networkSpec: { vnet: { name: 'vnet' } } },
  },
  gcp: { machine: gcpMachine, cluster: { project: 'p-12345', region: 'europe-west1' } },
  ibm: { machine: ibmMachine, cluster: { region: 'eu-de', resourceGroup: '0'.repeat(32) } },
}
const clusterKeys = [annotations.ownerId, annotations.account, annotations.backoff]
const guarded: readonly (Guarded & { kind: string })[] = [
  ...supportedClouds.flatMap((cloud) => [
    { resource: clouds[cloud].machines, spec: specs[cloud].machine, keys: [annotations.attempt] },
    { resource: clouds[cloud].clusters, spec: specs[cloud].cluster, keys: clusterKeys },
  ]),
  {
    resource: coreClusters,
    spec: { infrastructureRef: { ...infrastructureRef, kind: 'AWSCluster' } },
    keys: clusterKeys,
  },
  {
    resource: machines,
    spec: { ...machine, infrastructureRef: { ...infrastructureRef, kind: 'AWSMachine' } },
    keys: [annotations.interruption],
  },
].map((row) => ({ ...row, kind: row.resource.kind }))

describe.each(guarded)('the annotations that decide about an instance, on kind $kind', ({ resource, spec, keys }) => {
  const says = (key: string) =>
    `only the provider may write metadata.annotations ${key}, because they decide who owns an instance or whether a ` +
    `Machine is deleted; leave them unchanged. To move or restore objects, get the verb update on ${resource.plural}/attempt (docs/security.md)`

  test.each(keys)('%s: nobody creates, changes or removes it by rights on the kind alone', async (key) => {
    await expect(create(tenant, resource, { spec, key })).rejects.toThrow(says(key))
    const bare = await create(tenant, resource, { spec })
    await expect(annotate(tenant, resource, bare, { [key]: 'mine' })).rejects.toThrow(says(key))
    const held = await create(lab.client, resource, { spec, key })
    await expect(annotate(tenant, resource, held, { [key]: 'other' })).rejects.toThrow(says(key))
    await expect(annotate(tenant, resource, held, { [key]: null })).rejects.toThrow(says(key))
  })

  test.each(keys)('%s: whoever leaves it as it stands may write the object', async (key) => {
    const name = await create(lab.client, resource, { spec, key })
    await expect(annotate(tenant, resource, name, { [key]: 'given', 'example.com/note': 'x' })).resolves.toBeDefined()
    await expect(annotate(tenant, resource, name, { 'example.com/note': null })).resolves.toBeDefined()
  })

  test.each(keys)('%s: a move or a restore writes it with the role that is there for it', async (key) => {
    const name = await create(restorer, resource, { spec, key })
    await expect(annotate(restorer, resource, name, { [key]: 'other' })).resolves.toBeDefined()
  })

  test.each(keys)('%s: the manager writes it', async (key) => {
    const name = await create(tenant, resource, { spec })
    await expect(annotate(manager, resource, name, { [key]: 'ours' })).resolves.toBeDefined()
  })
})

test('a rehearsal deletes the Machine: nobody asks for it without the right to do that', async () => {
  const spec = { ...machine, infrastructureRef: { ...infrastructureRef, kind: 'AWSMachine' } }
  const asking = { spec, key: requests.rehearse }
  const refused = 'asks for a rehearsal, which deletes the Machine; get the verb delete on machines'
  await expect(create(writer, machines, asking)).rejects.toThrow(refused)
  const name = await create(writer, machines, { spec })
  await expect(annotate(writer, machines, name, { [requests.rehearse]: '2m' })).rejects.toThrow(refused)
  await expect(annotate(tenant, machines, name, { [requests.rehearse]: '2m' })).resolves.toBeDefined()
  await expect(annotate(writer, machines, name, { 'example.com/note': 'x' })).resolves.toBeDefined()
  await expect(annotate(writer, machines, name, { [requests.rehearse]: '3m' })).rejects.toThrow(refused)
  await expect(annotate(writer, machines, name, { [requests.rehearse]: null })).resolves.toBeDefined()
})

test('what makes Machines is left alone: nothing is believed that stands there', async () => {
  const set = await create(tenant, machineSets, { spec: { ...pool, selector: {} }, key: annotations.backoff })
  await expect(annotate(tenant, machineSets, set, { [annotations.backoff]: 'other' })).resolves.toBeDefined()
})

test('the manager cannot write what makes Machines', async () => {
  const name = await create(lab.client, machineDeployments, { spec: pool })
  await expect(annotate(manager, machineDeployments, name, { 'example.com/note': 'x' })).rejects.toThrow('forbidden')
})

interface Wanted {
  readonly spec: object
  /** An annotation that it has from the start. */
  readonly key?: string
  readonly name?: string
}

async function create(client: KubeClient, resource: Resource, wanted: Wanted): Promise<string> {
  const { spec, key, name = `try-${++made}` } = wanted
  const metadata: ObjectMeta = { name, namespace, ...(key === undefined ? {} : { annotations: { [key]: 'given' } }) }
  await client.create(resource, { metadata, spec } as KubeObject, lab.ctx)
  return name
}

function annotate(
  client: KubeClient,
  resource: Resource,
  name: string,
  change: Readonly<Record<string, string | null>>,
): Promise<unknown> {
  const patch = { metadata: { annotations: change } }
  return client.mergePatch(resource, { namespace, name }, { patch }, lab.ctx)
}
