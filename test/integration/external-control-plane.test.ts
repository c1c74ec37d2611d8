import { readFile } from 'node:fs/promises'
import { expect, inject, it } from 'vitest'
import { findCondition, type Condition } from '../../api/conditions.ts'
import type { ExternalControlPlane } from '../../api/generated/external-control-plane.ts'
import { clusters, externalControlPlanes, machines, secrets } from '../../api/kinds.ts'
import type { Cluster, Machine } from '../../api/machine.ts'
import { eventually } from '../lab/eventually.ts'
import { typed } from '../lab/processes/kubectl.ts'
import type { Manifest } from '../lab/objects.ts'
import { spotClusterManifests } from '../lab/spot-cluster.ts'
import { kubeconfigOf, tokenUntil } from '../support/fakes/workload-stub.ts'
import { Endpoint } from '../lab/endpoint.ts'
import { instanceOf, readyOf } from './rigs/cloud-cluster.ts'
import { SpotRig } from './rigs/spot-rig.ts'

const slowly = { timeoutMs: 120_000 }
const secret = 'c1-kubeconfig'
const capacityType = 'spot.cluster.x-k8s.io/capacity-type'

it.concurrent('an API server that goes away and comes back: machines are made and ended meanwhile, their labels come later', async () => {
  await using rig = await SpotRig.start(inject('cluster'))
  await using endpoint = await Endpoint.start(Number(new URL(rig.lab.cluster.admin.server).port))
  const given = await readFile(rig.lab.cluster.kubeconfig, 'utf8')
  const there = `https://127.0.0.1:${endpoint.port}`
  await rig.startManager()
  await applyHasty(rig, Buffer.from(given.replaceAll(rig.lab.cluster.admin.server, there)).toString('base64'))
  const [first] = await rig.running(1)
  const [cluster] = await rig.list<Cluster>(clusters)
  expect(cluster?.spec.controlPlaneEndpoint).toEqual({ host: '127.0.0.1', port: endpoint.port })

  endpoint.takeAway()
  await saying(
    rig,
    'False',
    'Unreachable',
    /The manager reaches no API server .* Machines are still created and deleted/,
  )
  await rig.scaleTo(2)
  await eventually('another machine runs', async () => {
    expect((await rig.awsMachines()).map((one) => readyOf(one)?.reason)).toEqual(['Running', 'Running'])
  })
  const marked = { metadata: { annotations: { 'cluster.x-k8s.io/delete-machine': '' } } }
  const ref = { namespace: rig.namespace, name: first?.metadata.name ?? '' }
  await rig.lab.client.mergePatch(machines, ref, { patch: marked }, rig.lab.ctx)
  await rig.scaleTo(1)
  await eventually(
    'the first one is ended',
    () => expect(rig.alive().map(({ id }) => id)).not.toContain(instanceOf(first)),
    slowly,
  )
  expect(rig.alive()).toHaveLength(1)

  endpoint.bringBack()
  await saying(rig, 'True', 'Available', /answers/)
  await eventually(
    'the Node of the other has its labels',
    async () => {
      const [node] = await rig.nodes()
      expect(node?.metadata.labels?.[capacityType]).toBe('Spot')
    },
    slowly,
  )
  await rig.deleteCluster()
  expect(rig.alive()).toEqual([])
})

it.concurrent('credentials that are withdrawn, expired, fresh: each is said, the machine runs on, and no token is repeated', async () => {
  await using rig = await SpotRig.start(inject('cluster'))
  const token = await makeAccount(rig)
  await rig.startManager(['--log-level', 'debug'])
  await rig.applyExamples(1, { WORKLOAD_KUBECONFIG_B64: kubeconfigWith(rig, token) })
  await rig.running(1)
  await saying(rig, 'True', 'Available', /Its credentials expire at \d{4}-/)

  await typed('kubectl delete serviceaccount core --namespace "$NAMESPACE"', shell(rig))
  await saying(
    rig,
    'False',
    'CredentialsDenied',
    /in Secret c1-kubeconfig\. They are wrong, revoked or expired\. Write new ones/,
  )
  await write(rig, kubeconfigWith(rig, tokenUntil(Date.UTC(2026, 0, 1))))
  await saying(rig, 'False', 'CredentialsDenied', /expired at 2026-01-01T00:00:00Z\. Write new ones/)

  const fresh = await makeAccount(rig)
  await write(rig, kubeconfigWith(rig, fresh))
  await saying(rig, 'True', 'Available', /Its credentials expire at \d{4}-/)
  expect((await rig.awsMachines()).map((one) => readyOf(one)?.reason)).toEqual(['Running'])
  for (const one of [token, fresh]) expect(rig.lab.manager.logs()).not.toContain(one)
  await rig.deleteCluster()
  expect(rig.alive()).toEqual([])
})

it.concurrent('the control plane object and its Secret deleted while the Cluster lives: machines end, and the Cluster after them', async () => {
  await using rig = await SpotRig.start(inject('cluster'))
  await rig.startManager()
  await rig.applyExamples(2)
  await rig.running(2)
  const ref = { namespace: rig.namespace, name: 'c1' }
  await rig.lab.client.delete(externalControlPlanes, ref, {}, rig.lab.ctx)
  await rig.takeSecretAway(secret)
  await rig.scaleTo(1)
  await eventually('one machine is ended', () => expect(rig.alive()).toHaveLength(1), slowly)
  await eventually('and gone', async () => expect(await rig.list<Machine>(machines)).toHaveLength(1), slowly)
  await rig.deleteCluster()
  expect(rig.alive()).toEqual([])
})

/** The examples without an endpoint, with machines that do not wait long for an unreachable Node. */
async function applyHasty(rig: SpotRig, kubeconfig: string): Promise<void> {
  const values = { WORKLOAD_KUBECONFIG_B64: kubeconfig }
  const made = await spotClusterManifests(rig.lab, { name: 'c1', namespace: rig.namespace, workers: 1, values })
  const deletion = { nodeDrainTimeoutSeconds: 1, nodeVolumeDetachTimeoutSeconds: 1, nodeDeletionTimeoutSeconds: 1 }
  const objects = made.map((object): Manifest => {
    const { kind, spec } = object as Manifest & { spec?: { template?: { spec?: object } } }
    if (kind === 'ExternalControlPlane') return { ...object, spec: {} } as Manifest
    if (kind !== 'MachineDeployment') return object
    const template = { ...spec?.template, spec: { ...spec?.template?.spec, deletion } }
    return { ...object, spec: { ...spec, template } } as Manifest
  })
  await rig.lab.apply(objects)
}

async function saying(rig: SpotRig, status: string, reason: string, message: RegExp): Promise<void> {
  await rig.wake(externalControlPlanes, 'c1')
  await eventually(
    `Available is ${status}, ${reason}`,
    async () => {
      const matching = { status, reason, message: expect.stringMatching(message) as string }
      expect(await available(rig)).toMatchObject(matching)
    },
    slowly,
  )
}

async function available(rig: SpotRig): Promise<Condition | undefined> {
  const [controlPlane] = await rig.list<ExternalControlPlane>(externalControlPlanes)
  return findCondition(controlPlane?.status?.conditions, 'Available')
}

function shell({ lab, namespace }: SpotRig) {
  return { folder: lab.folder, kubeconfig: lab.cluster.kubeconfig, variables: { NAMESPACE: namespace } }
}

/** A ServiceAccount that may do everything, and a token of it. */
async function makeAccount(rig: SpotRig): Promise<string> {
  const commands = [
    'kubectl create serviceaccount core --namespace "$NAMESPACE" >/dev/null',
    'kubectl create clusterrolebinding "$NAMESPACE" --clusterrole cluster-admin --serviceaccount "$NAMESPACE:core" --dry-run=client -o yaml | kubectl apply -f - >/dev/null',
    'kubectl create token core --namespace "$NAMESPACE"',
  ]
  return (await typed(commands.join('\n'), shell(rig))).trim()
}

function kubeconfigWith({ lab }: SpotRig, token: string): string {
  const { server, caPem } = lab.cluster.admin
  const cluster = { server, 'certificate-authority-data': Buffer.from(caPem).toString('base64') }
  return kubeconfigOf(cluster, { token }).value
}

async function write(rig: SpotRig, value: string): Promise<void> {
  const ref = { namespace: rig.namespace, name: secret }
  await rig.lab.client.mergePatch(secrets, ref, { patch: { data: { value } } }, rig.lab.ctx)
}
