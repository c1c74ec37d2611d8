import { expect } from 'vitest'
import { annotations } from '../../../api/labels.ts'
import type { Resource } from '../../../api/meta.ts'
import type { Manifest } from '../../lab/objects.ts'
import type { CloudCluster } from '../rigs/cloud-cluster.ts'
import type { CloudsRig } from '../rigs/clouds-rig.ts'
import { patiently } from './patiently.ts'

const policies: Resource = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingadmissionpolicies',
  kind: 'ValidatingAdmissionPolicy',
  namespaced: false,
}
const bindings: Resource = {
  ...policies,
  plural: 'validatingadmissionpolicybindings',
  kind: 'ValidatingAdmissionPolicyBinding',
}
const attempt = `object.metadata.?annotations[?'${annotations.attempt}'].orValue('')`

/** Makes the API server refuse the write that stores an instance's id, like a crash at that moment. */
export async function refuseHandles(rig: CloudsRig): Promise<{ lift(): Promise<void> }> {
  const name = `no-handle-${rig.namespace}`
  const { lab } = rig
  await lab.apply(policyOf(name, rig))
  await patiently('the policy bites', async () => {
    for (const one of rig.clusters) {
      await expect(lab.apply([await probe(one)])).rejects.toThrow('not yet, says the test')
    }
  })
  return {
    lift: async () => {
      await lab.client.delete(bindings, { name }, {}, lab.ctx)
      await lab.client.delete(policies, { name }, {}, lab.ctx)
      await patiently('the policy is lifted', async () => {
        for (const one of rig.clusters) await lab.apply([await probe(one)])
      })
    },
  }
}

function policyOf(name: string, { namespace, clusters }: CloudsRig): (Manifest & { spec: object })[] {
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const rule = {
    apiGroups: ['spot.cluster.x-k8s.io'],
    apiVersions: ['*'],
    resources: clusters.map(({ machineKind }) => machineKind.plural),
    operations: ['CREATE', 'UPDATE'],
  }
  const selector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } }
  return [
    {
      apiVersion,
      kind: policies.kind,
      metadata: { name },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: `!${attempt}.contains('"handle"')`, message: 'not yet, says the test' }],
      },
    },
    {
      apiVersion,
      kind: bindings.kind,
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'], matchResources: { namespaceSelector: selector } },
    },
  ]
}

/** No Machine owns it, so nothing is launched for it. */
async function probe(one: CloudCluster): Promise<Manifest> {
  const metadata = { name: 'probe', namespace: one.namespace, annotations: { [annotations.attempt]: '{"handle":""}' } }
  const spec = await one.machineSpec()
  return { apiVersion: 'spot.cluster.x-k8s.io/v1alpha1', kind: one.machineKind.kind, metadata, spec } as Manifest
}
