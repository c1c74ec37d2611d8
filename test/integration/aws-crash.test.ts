import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { annotations } from '../../api/labels.ts'
import type { Resource } from '../../api/meta.ts'
import { eventually } from '../lab/eventually.ts'
import type { Manifest } from '../lab/objects.ts'
import { SpotRig } from './spot-rig.ts'

let rig: SpotRig
beforeEach(async () => {
  rig = await SpotRig.start(inject('cluster'))
  await rig.startManager()
})
afterEach(() => rig[Symbol.asyncDispose]())

async function kill(): Promise<void> {
  rig.lab.manager.kill('SIGKILL')
  await rig.lab.manager.exited
}

/** One machine runs, on the one instance that ever was. */
async function expectOneInstance(): Promise<void> {
  const [machine] = await rig.running(1)
  expect(rig.aws.control.instances()).toHaveLength(1)
  expect(machine?.spec.providerID?.split('/').at(-1)).toBe(rig.aws.control.instances()[0]?.id)
}

it('killed before RunInstances is done: the restarted manager makes one instance', async () => {
  const held = rig.aws.control.hold('RunInstances', 'before')
  await rig.applyExamples(1)
  await held.reached
  await kill()
  held.drop()
  expect(rig.aws.control.instances()).toEqual([])
  await rig.startManager()
  await expectOneInstance()
})

it('killed after the commit and before the answer: the restarted manager finds that instance', async () => {
  const held = rig.aws.control.hold('RunInstances', 'after')
  await rig.applyExamples(1)
  await held.reached
  await kill()
  held.release()
  expect(rig.aws.control.instances()).toHaveLength(1)
  await rig.startManager()
  await expectOneInstance()
})

it('killed after the answer and before the write: the restarted manager finds that instance', async () => {
  const policy = await refuseProviderIDs()
  await rig.applyExamples(1)
  await eventually('RunInstances was answered, and the write of its answer refused', () => {
    expect(rig.aws.control.instances()).toHaveLength(1)
    expect(rig.lab.manager.logs()).toContain('not yet, says the test')
  })
  const [machine] = await rig.awsMachines()
  expect(machine?.metadata.annotations?.[annotations.attempt]).not.toContain('handle')
  await kill()
  await policy.lift()
  await rig.startManager()
  await expectOneInstance()
})

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

/** Makes the API server refuse the write that would keep the instance's id: what a crash at that moment comes to. */
async function refuseProviderIDs(): Promise<{ lift(): Promise<void> }> {
  const name = `no-provider-id-${rig.namespace}`
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const rule = {
    apiGroups: ['spot.cluster.x-k8s.io'],
    apiVersions: ['*'],
    resources: ['awsmachines'],
    operations: ['UPDATE'],
  }
  const selector = { matchLabels: { 'kubernetes.io/metadata.name': rig.namespace } }
  const policy: (Manifest & { spec: object })[] = [
    {
      apiVersion,
      kind: policies.kind,
      metadata: { name },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: '!has(object.spec.providerID)', message: 'not yet, says the test' }],
      },
    },
    {
      apiVersion,
      kind: bindings.kind,
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'], matchResources: { namespaceSelector: selector } },
    },
  ]
  await rig.lab.apply(policy)
  await eventually('the policy bites', async () => {
    await expect(rig.lab.apply([probe()])).rejects.toThrow('not yet, says the test')
  })
  return {
    lift: async () => {
      await rig.lab.client.delete(bindings, { name }, {}, rig.lab.ctx)
      await rig.lab.client.delete(policies, { name }, {}, rig.lab.ctx)
      await eventually('the policy is lifted', async () => {
        await rig.lab.apply([probe()])
      })
    },
  }
}

/** No Machine owns it, so nobody launches anything for it. Applied again, it is an update that sets providerID. */
function probe(): Manifest {
  const spec = {
    instanceType: 'm5.large',
    ami: { id: rig.aws.facts.image },
    providerID: 'aws:///us-east-1a/i-00000000000000000',
  }
  return {
    apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
    kind: 'AWSMachine',
    metadata: { name: 'probe', namespace: rig.namespace, labels: { at: String(Math.random()) } },
    spec,
  } as Manifest
}
