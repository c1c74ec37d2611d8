import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { machines, spotKind } from '../../api/kinds.ts'
import type { ObjectMeta, Resource } from '../../api/meta.ts'
import type { CloudName } from '../../api/scope.ts'
import { componentsOf } from '../../config/components.ts'
import { apiVersionOf, pathOf } from '../../controllers/runtime/client/resource.ts'
import { Transport } from '../../controllers/runtime/client/transport.ts'
import { clouds, supportedClouds } from '../../providers/registry.ts'
import { eventually } from '../lab/eventually.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import { connectionOf } from '../lab/processes/management-cluster.ts'
import { azureMachine } from './cases/azure-machine-cases.ts'
import { machine as awsMachine } from './cases/crd-cases.ts'
import { gcpMachine } from './cases/gcp-machine-cases.ts'
import { ibmMachine } from './cases/ibm-machine-cases.ts'

const controlPlane = 'cluster.x-k8s.io/control-plane'
const attempt = 'spot.cluster.x-k8s.io/attempt'
const dryRun = 'topology.cluster.x-k8s.io/dry-run'
const namespace = 'default'

const machineDeployments: Resource = { ...machines, plural: 'machinedeployments', kind: 'MachineDeployment' }
const machineSets: Resource = { ...machines, plural: 'machinesets', kind: 'MachineSet' }
const templates = spotKind('AWSMachineTemplate')

/** A machine on demand of each cloud, and each field that asks for spot. */
const onDemand: Readonly<Record<CloudName, { spec: object; spotBy: Readonly<Record<string, object>> }>> = {
  aws: {
    spec: awsMachine,
    spotBy: { spotMarketOptions: { spotMarketOptions: {} }, marketType: { marketType: 'Spot' } },
  },
  azure: { spec: azureMachine, spotBy: { spotVMOptions: { spotVMOptions: {} } } },
  gcp: {
    spec: gcpMachine,
    spotBy: { provisioningModel: { provisioningModel: 'Spot' }, preemptible: { preemptible: true } },
  },
  ibm: { spec: ibmMachine, spotBy: { 'availability.class': { availability: { class: 'spot' } } } },
}
/** An entry of `fallback` means the same on every cloud. */
const spotEntry = {
  'fallback[1].capacityType': { fallback: [{ capacityType: 'OnDemand', after: '1m' }, { capacityType: 'Spot' }] },
}
const markets = supportedClouds.flatMap((cloud) => {
  const { spec, spotBy } = onDemand[cloud]
  return Object.entries({ ...spotBy, ...spotEntry }).map(([field, spot]) => ({
    kind: clouds[cloud].machines.kind,
    field,
    spec,
    spot,
  }))
})

let lab: Lab
let transport: Transport
let made = 0
/** Without core, so that only the policies refuse. Not shared, because the test removes them for a while. */
beforeAll(async () => {
  lab = await startLab({ core: false })
  transport = new Transport(connectionOf(lab.cluster.admin), { userAgent: 'test', timeoutMs: 30_000 })
  await untilEnforced()
})
afterAll(async () => {
  await transport.close()
  await lab.stop()
})

describe('a control plane', () => {
  test.each(markets)('of $kind is not bought by $field', async ({ kind, field, spec, spot }) => {
    const labelled = { labels: { [controlPlane]: '' } }
    const says = (path: string) =>
      `${path}spec.${field} asks for spot, but the label ${controlPlane} in ${path}metadata.labels makes it a control plane, ` +
      `which loses etcd when the cloud reclaims it; remove ${path}spec.${field} or the label`
    const asTemplate = (own: object) => ({ template: { metadata: labelled, spec: own } })
    const template = spotKind(`${kind}Template`)

    await expect(create(spotKind(kind), { ...spec, ...spot }, labelled)).rejects.toThrow(says(''))
    await expect(create(template, asTemplate({ ...spec, ...spot }))).rejects.toThrow(says('spec.template.'))
    await expect(create(spotKind(kind), { ...spec, ...spot })).resolves.toBeDefined()
    await expect(create(spotKind(kind), spec, labelled)).resolves.toBeDefined()
    await expect(create(template, asTemplate(spec))).resolves.toBeDefined()
  })

  test('is not made of a spot machine by a label later', async () => {
    const name = await create(spotKind('AWSMachine'), { ...awsMachine, spotMarketOptions: {} })
    await expect(patch(spotKind('AWSMachine'), name, { metadata: { labels: { [controlPlane]: '' } } })).rejects.toThrow(
      'spec.spotMarketOptions asks for spot',
    )
  })
})

describe('a template', () => {
  const spec = { template: { spec: awsMachine } }
  const larger = { template: { spec: { ...awsMachine, instanceType: 'm5.xlarge' } } }
  const says =
    'spec.template.spec of this AWSMachineTemplate cannot change (instanceType), because existing objects were created from it; ' +
    'create a new AWSMachineTemplate with the new value and name it in the MachineDeployment'

  test('stays as it was written', async () => {
    const name = await create(templates, spec)
    await expect(patch(templates, name, { spec: larger })).rejects.toThrow(says)
    await expect(patch(templates, name, { spec: { template: { spec: { ami: null } } } })).rejects.toThrow(' (ami), ')
    const two = { template: { spec: { ami: null, sshKeyName: 'key' } } }
    await expect(patch(templates, name, { spec: two })).rejects.toThrow(/ [(](ami, sshKeyName|sshKeyName, ami)[)], /)
  })

  test('of clusters too', async () => {
    const name = await create(spotKind('GCPClusterTemplate'), {
      template: { spec: { project: 'p-12345', region: 'europe-west1' } },
    })
    await expect(
      patch(spotKind('GCPClusterTemplate'), name, { spec: { template: { spec: { region: 'europe-west2' } } } }),
    ).rejects.toThrow('(region), because existing objects were created from it; create a new GCPClusterTemplate')
  })

  test('takes owners, annotations and labels for what is made of it', async () => {
    const name = await create(templates, spec)
    const change = { metadata: { labels: { a: 'b' } }, spec: { template: { metadata: { labels: { c: 'd' } } } } }
    await expect(patch(templates, name, change)).resolves.toMatchObject(change)
    await expect(patch(templates, name, { spec })).resolves.toBeDefined()
  })

  test('can be tried out by the topology controller, which changes nothing', async () => {
    const name = await create(templates, spec)
    const trial = { [dryRun]: '' }
    await expect(apply(name, { spec: larger, annotations: trial, dry: true })).resolves.toMatchObject({ spec: larger })
    expect(await lab.client.get(templates, { namespace, name }, lab.ctx)).toMatchObject({ spec })

    await expect(apply(name, { spec: larger, annotations: {}, dry: true }), 'no trial').rejects.toThrow(says)
    await expect(apply(name, { spec: larger, annotations: trial, dry: false }), 'no dry run').rejects.toThrow(says)
  })
})

describe('a key of ours', () => {
  const template = (metadata: object) => ({ template: { metadata, spec: awsMachine } })
  const pool = (metadata: object) => ({
    clusterName: 'c1',
    replicas: 0,
    selector: {},
    template: { metadata, spec: workers },
  })
  const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSMachineTemplate', name: 'spot' }
  const workers = { clusterName: 'c1', bootstrap: { dataSecretName: 'bootstrap' }, infrastructureRef }
  const places = [
    { resource: templates, made: template },
    { resource: machineDeployments, made: pool },
    { resource: machineSets, made: pool },
  ].map((place) => ({ ...place, kind: place.resource.kind }))

  test.each(places)('stands in no $kind', async ({ resource, made: of }) => {
    const says = (field: string) =>
      `spec.template.metadata.${field} has ${attempt}, but only the provider may write keys under spot.cluster.x-k8s.io/; remove it`
    for (const field of ['annotations', 'labels']) {
      await expect(create(resource, of({ [field]: { [attempt]: 'x' } }))).rejects.toThrow(says(field))
      const name = await create(resource, of({ [field]: { 'example.com/attempt': 'x' } }))
      const change = { spec: { template: { metadata: { [field]: { [attempt]: 'x' } } } } }
      await expect(patch(resource, name, change)).rejects.toThrow(says(field))
    }
  })

  test.each(places)('may stand on the $kind itself', async ({ resource, made: of }) => {
    await expect(
      create(resource, of({ labels: { a: 'b' } }), { annotations: { [attempt]: 'x' } }),
    ).resolves.toBeDefined()
  })

  test('that was there before the policies keeps nothing from being scaled, released and deleted', async () => {
    const policed = componentsOf().filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding')
    await lab.delete(policed)
    const ofAttempt = { annotations: { [attempt]: 'x' } }
    const kept = { finalizers: ['example.com/kept'], labels: { [controlPlane]: '' } }
    const deployment = await eventually('nothing is refused', () => create(machineDeployments, pool(ofAttempt)))
    const spotted = await eventually('nothing is refused', () =>
      create(spotKind('AWSMachine'), { ...awsMachine, spotMarketOptions: {} }, kept),
    )
    await lab.apply(policed)
    await untilEnforced()

    await expect(patch(machineDeployments, deployment, { spec: { replicas: 3 } })).resolves.toBeDefined()
    const more = { spec: { template: { metadata: { annotations: { 'spot.cluster.x-k8s.io/owner-id': 'x' } } } } }
    await expect(patch(machineDeployments, deployment, more)).rejects.toThrow('has spot.cluster.x-k8s.io/owner-id')
    await expect(
      patch(spotKind('AWSMachine'), spotted, { metadata: { annotations: { a: 'b' } } }),
    ).resolves.toBeDefined()
    await lab.client.delete(spotKind('AWSMachine'), { namespace, name: spotted }, {}, lab.ctx)
    await patch(spotKind('AWSMachine'), spotted, { metadata: { finalizers: null } })
    const { items } = await lab.client.list(spotKind('AWSMachine'), { namespace }, lab.ctx)
    expect(items.map(({ metadata }) => metadata.name)).not.toContain(spotted)
  })
})

/** The API server applies policies with a delay. Waits until each of them refuses. */
async function untilEnforced(): Promise<void> {
  const name = await create(templates, { template: { spec: awsMachine } })
  const wrongs = [
    () => create(templates, { template: { metadata: { labels: { [attempt]: '' } }, spec: awsMachine } }),
    () => create(spotKind('GCPMachine'), { ...gcpMachine, preemptible: true }, { labels: { [controlPlane]: '' } }),
    () => patch(templates, name, { spec: { template: { spec: { instanceType: `m5.${++made}xlarge` } } } }),
  ]
  for (const wrong of wrongs) {
    await eventually('the policies hold', () => expect(wrong()).rejects.toThrow('ValidatingAdmissionPolicy'))
  }
}

async function create(resource: Resource, spec: object, metadata: Partial<ObjectMeta> = {}): Promise<string> {
  const name = `try-${++made}`
  await lab.client.create(resource, { metadata: { ...metadata, name, namespace }, spec }, lab.ctx)
  return name
}

async function patch(resource: Resource, name: string, change: object): Promise<unknown> {
  return lab.client.mergePatch(resource, { namespace, name }, { patch: change }, lab.ctx)
}

interface Applying {
  readonly spec: object
  readonly annotations: Readonly<Record<string, string>>
  readonly dry: boolean
}

/** Server-side apply as the topology controller does it. */
async function apply(name: string, { spec, annotations, dry }: Applying): Promise<unknown> {
  const query = `?fieldManager=capi-topology&force=true${dry ? '&dryRun=All' : ''}`
  const path = pathOf(templates, { namespace, name }) + query
  const object = {
    apiVersion: apiVersionOf(templates),
    kind: templates.kind,
    metadata: { name, namespace, annotations },
  }
  const body = { type: 'application/apply-patch+yaml', json: { ...object, spec } }
  return JSON.parse(await transport.text({ method: 'PATCH', path, body }, lab.ctx))
}
