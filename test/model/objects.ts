import type { KubeObject } from '../../api/meta.ts'
import type { InterruptionPolicySpec } from '../../api/generated/interruption-policy.ts'
import { core } from '../../api/labels.ts'

const ownedBy = (kind: string, name: string, uid = `uid-${name}`) => ({
  ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind, name, uid }],
})

const controlledBy = (kind: string, name: string, uid?: string) => {
  const { ownerReferences } = ownedBy(kind, name, uid)
  return { ownerReferences: ownerReferences.map((owner) => ({ ...owner, controller: true })) }
}

/** A Cluster with its infrastructure, as a user would write it. */
export function clusterObjects(namespace: string): { kind: string; object: KubeObject }[] {
  const name = 'c1'
  const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSCluster', name }
  // Without a control plane core drains no Node.
  const controlPlaneRef = { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'Theirs', name }
  return [
    {
      kind: 'Cluster',
      object: {
        metadata: { namespace, name, uid: `uid-${name}` },
        spec: { infrastructureRef, controlPlaneRef },
      } as KubeObject,
    },
    {
      kind: 'AWSCluster',
      object: {
        metadata: { namespace, name, labels: { [core.clusterName]: name }, ...ownedBy('Cluster', name) },
        spec: { region: 'us-east-1' },
      } as KubeObject,
    },
  ]
}

interface SetWanted {
  readonly name: string
  readonly uid: string
  readonly revision: string
  readonly replicas: number
}

/** A MachineSet of the MachineDeployment. */
export function setObject({ name, uid, revision, replicas }: SetWanted): KubeObject {
  const { ownerReferences } = controlledBy('MachineDeployment', deploymentName)
  const labels = { [core.clusterName]: 'c1' }
  const annotations = { [core.revision]: revision }
  const metadata = { namespace: 'default', name, uid, labels, annotations, ownerReferences }
  return { metadata, spec: { replicas } } as KubeObject
}

export const deploymentName = 'deployment'

export function deploymentObject(revision: string, replicas: number): KubeObject {
  const labels = { [core.clusterName]: 'c1' }
  const annotations = { [core.revision]: revision }
  const metadata = { namespace: 'default', name: deploymentName, uid: 'uid-deployment', labels, annotations }
  return { metadata, spec: { replicas } } as KubeObject
}

/** The policy of all Machines of the Cluster in the first namespace. */
export function policyObject(spec: Partial<InterruptionPolicySpec>): KubeObject {
  const metadata = { namespace: 'default', name: 'policy', uid: 'uid-policy' }
  return { metadata, spec: { clusterName: 'c1', ...spec } } as KubeObject
}

export const setName = 'cluster.x-k8s.io/set-name'
const machineFinalizer = 'machine.cluster.x-k8s.io'

interface SetRef {
  readonly name: string
  readonly uid: string
}

/** A Machine with its objects, as core creates them: alone, or of a MachineSet. */
export function machineObjects(
  { namespace, name }: { namespace: string; name: string },
  uid: string,
  { set, spec = {} }: { readonly set?: SetRef | undefined; readonly spec?: object | undefined } = {},
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
        metadata: {
          namespace,
          name,
          uid: `m-${uid}`,
          labels: { ...labels, ...(set ? { [setName]: set.name, [core.deploymentName]: deploymentName } : {}) },
          finalizers: [machineFinalizer],
          ...(set ? controlledBy('MachineSet', set.name, set.uid) : {}),
        },
        spec: { clusterName: 'c1', bootstrap: { dataSecretName: `boot-${name}` }, infrastructureRef },
      } as KubeObject,
    },
    {
      kind: 'AWSMachine',
      object: {
        metadata: { namespace, name, uid, labels, generation: 1, ...ownedBy('Machine', name, `m-${uid}`) },
        spec,
      } as KubeObject,
    },
  ]
}
