import type { KubeObject } from '../../api/meta.ts'
import { core } from '../../api/labels.ts'
import { parseKey } from '../../controllers/runtime/client/resource.ts'

const ownedBy = (kind: string, name: string, uid = `uid-${name}`) => ({
  ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind, name, uid }],
})

const controlledBy = (kind: string, name: string) => {
  const { ownerReferences } = ownedBy(kind, name)
  return { ownerReferences: ownerReferences.map((owner) => ({ ...owner, controller: true })) }
}

/** A Cluster with its infrastructure, as a user would write it. */
export function clusterObjects(namespace: string): { kind: string; object: KubeObject }[] {
  const name = 'c1'
  const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSCluster', name }
  return [
    { kind: 'Cluster', object: { metadata: { namespace, name }, spec: { infrastructureRef } } as KubeObject },
    {
      kind: 'AWSCluster',
      object: {
        metadata: { namespace, name, labels: { [core.clusterName]: name }, ...ownedBy('Cluster', name) },
        spec: { region: 'us-east-1' },
      } as KubeObject,
    },
  ]
}

/** A MachineSet with this number of machines. */
export function setObject(key: string): KubeObject {
  const { namespace = '', name } = parseKey(key)
  return { metadata: { namespace, name, uid: `uid-${name}`, labels: { [core.clusterName]: 'c1' } } }
}

/** A Machine with its objects, as core creates them: alone, or of a MachineSet. */
export function machineObjects(
  { namespace, name }: { namespace: string; name: string },
  uid: string,
  set?: string,
): { kind: string; object: KubeObject }[] {
  const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSMachine', name }
  const labels = { [core.clusterName]: 'c1' }
  return [
    {
      kind: 'Secret',
      object: { metadata: { namespace, name: `boot-${name}`, labels }, data: { value: 'YQ==' } } as KubeObject,
    },
    {
      kind: 'Machine',
      object: {
        metadata: { namespace, name, uid: `m-${uid}`, labels, ...(set ? controlledBy('MachineSet', set) : {}) },
        spec: { clusterName: 'c1', bootstrap: { dataSecretName: `boot-${name}` }, infrastructureRef },
      } as KubeObject,
    },
    {
      kind: 'AWSMachine',
      object: {
        metadata: { namespace, name, uid, labels, generation: 1, ...ownedBy('Machine', name, `m-${uid}`) },
        spec: {},
      } as KubeObject,
    },
  ]
}
