import { afterAll, beforeAll, expect, test } from 'vitest'
import { clusters, machineDeployments, spotKind } from '../../api/kinds.ts'
import { annotations } from '../../api/labels.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import { core } from '../lab/install.ts'
import { startLab, type Lab } from '../lab/lab.ts'
import type { Manifest } from '../lab/objects.ts'
import { machine } from './cases/crd-cases.ts'

/** Kinds that a ClusterClass needs, with no controller here: of a control plane and of bootstrap data. */
const group = 'lab.example.com'
const kinds = ['LabControlPlane', 'LabControlPlaneTemplate', 'LabBootstrap', 'LabBootstrapTemplate']
const namespace = 'default'
const version = 'v1.36.0'
const clusterClasses: Resource = { ...clusters, plural: 'clusterclasses', kind: 'ClusterClass' }
const labKind = (kind: string): Resource => ({
  group,
  version: 'v1',
  plural: `${kind.toLowerCase()}s`,
  kind,
  namespaced: true,
})

let lab: Lab
beforeAll(async () => {
  lab = await startLab({ core: { args: ['--feature-gates=ClusterTopology=true'] } })
  await lab.apply([...kinds.map(definitionOf), ...rightsOfCore()])
  await eventually('the kinds are served', () =>
    lab.client.list(labKind('LabBootstrapTemplate'), { namespace }, lab.ctx),
  )
})
afterAll(() => lab.stop())

test('the topology controller of core goes on writing what carries our annotations', async () => {
  await make(labKind('LabControlPlaneTemplate'), 'plane', { template: { spec: {} } })
  await make(labKind('LabBootstrapTemplate'), 'boot', { template: { spec: {} } })
  await make(spotKind('AWSClusterTemplate'), 'place', { template: { spec: { region: 'eu-west-1' } } })
  await make(spotKind('AWSMachineTemplate'), 'spot', { template: { spec: machine } })
  await make(clusterClasses, 'class', {
    controlPlane: { templateRef: ref(`${group}/v1`, 'LabControlPlaneTemplate', 'plane') },
    infrastructure: { templateRef: ref('spot.cluster.x-k8s.io/v1alpha1', 'AWSClusterTemplate', 'place') },
    workers: {
      machineDeployments: [
        {
          class: 'spot',
          bootstrap: { templateRef: ref(`${group}/v1`, 'LabBootstrapTemplate', 'boot') },
          infrastructure: { templateRef: ref('spot.cluster.x-k8s.io/v1alpha1', 'AWSMachineTemplate', 'spot') },
        },
      ],
    },
  })
  await make(clusters, 'c1', topologyOf(0, { first: '' }))
  const [deployment] = await eventually('core makes the workers', async () => {
    const { items } = await lab.client.list<Workers>(machineDeployments, { namespace }, lab.ctx)
    expect(items).toHaveLength(1)
    return items
  })
  const { items: places } = await lab.client.list(spotKind('AWSCluster'), { namespace }, lab.ctx)
  const [place] = places
  const workers = deployment?.metadata.name ?? ''
  const clusterKeys = { [annotations.ownerId]: 'owner-1', [annotations.account]: '111122223333' }
  await annotate(clusters, 'c1', clusterKeys)
  await annotate(spotKind('AWSCluster'), place?.metadata.name ?? '', { ...clusterKeys, [annotations.backoff]: '{}' })

  const metadata = { labels: { 'example.com/team': 'a' } }
  await patch(clusters, 'c1', { spec: topologyOf(2, metadata.labels) })
  await patch(spotKind('AWSClusterTemplate'), 'place', { spec: { template: { metadata } } })
  await eventually('core scales and labels them', async () => {
    const now = await lab.client.get<Workers>(machineDeployments, { namespace, name: workers }, lab.ctx)
    expect(now.spec.replicas).toBe(2)
    expect(now.metadata.labels?.['example.com/team']).toBe('a')
    const at = await lab.client.get(spotKind('AWSCluster'), { namespace, name: place?.metadata.name ?? '' }, lab.ctx)
    expect(at.metadata.labels?.['example.com/team']).toBe('a')
    expect(at.metadata.annotations).toMatchObject({ ...clusterKeys, [annotations.backoff]: '{}' })
  })
})

type Workers = KubeObject & { spec: { replicas?: number } }

function topologyOf(replicas: number, labels: Readonly<Record<string, string>>) {
  return {
    topology: {
      classRef: { name: 'class' },
      version,
      workers: { machineDeployments: [{ class: 'spot', name: 'workers', replicas, metadata: { labels } }] },
    },
  }
}

function ref(apiVersion: string, kind: string, name: string) {
  return { apiVersion, kind, name }
}

async function make(resource: Resource, name: string, spec: object): Promise<void> {
  await lab.client.create(resource, { metadata: { namespace, name }, spec } as KubeObject, lab.ctx)
}

async function annotate(resource: Resource, name: string, given: Readonly<Record<string, string>>): Promise<void> {
  await patch(resource, name, { metadata: { annotations: given } })
}

async function patch(resource: Resource, name: string, change: object): Promise<void> {
  await lab.client.mergePatch(resource, { namespace, name }, { patch: change }, lab.ctx)
}

/** Of anything. */
function definitionOf(kind: string): Manifest {
  const plural = `${kind.toLowerCase()}s`
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  const served = { name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }
  const spec = { group, scope: 'Namespaced', names: { kind, plural }, versions: [served] }
  const metadata = { name: `${plural}.${group}`, labels: { 'cluster.x-k8s.io/v1beta2': 'v1' } }
  return Object.assign({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata }, { spec })
}

function rightsOfCore(): Manifest[] {
  const metadata = { name: 'lab-kinds' }
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: metadata.name }
  const rules = [{ apiGroups: [group], resources: ['*'], verbs: ['*'] }]
  const subjects = [{ kind: 'User', apiGroup: roleRef.apiGroup, name: core.user }]
  const apiVersion = 'rbac.authorization.k8s.io/v1'
  return [
    Object.assign({ apiVersion, kind: 'ClusterRole', metadata }, { rules }),
    Object.assign({ apiVersion, kind: 'ClusterRoleBinding', metadata }, { roleRef, subjects }),
  ]
}
