import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { annotations } from '../../api/labels.ts'
import { clusters, externalControlPlanes, machineHealthChecks, machines, secrets, spotKind } from '../../api/kinds.ts'
import type { Cluster } from '../../api/machine.ts'
import type { KubeObject, Resource } from '../../api/meta.ts'
import { createTestAuthority } from '../support/fakes/certificate.ts'
import type { LabCloud } from '../lab/clouds/cloud.ts'
import { eventually } from '../lab/eventually.ts'
import type { Lab } from '../lab/lab.ts'
import { applySpotCluster } from '../lab/spot-cluster.ts'

export interface Tenant extends AsyncDisposable {
  readonly objects: number
  /** The number of requests to its servers. */
  requests(): number
}

const core = 'cluster.x-k8s.io/v1beta2'
const name = 'hostile'
const slowMs = 9_900

/**
 * Writes everything at once that a user of one namespace can write. An administrator writes it, so that no policy stops
 * it.
 */
export async function startTenant(lab: Lab, cloud: LabCloud): Promise<Tenant> {
  const namespace = await lab.namespace('hostile')
  const stop = new AbortController()
  const servers = await startServers()
  let objects = 0
  const make = async (resource: Resource, object: object) => {
    objects++
    return lab.client.create(resource, object as KubeObject, lab.ctx)
  }
  await applySpotCluster(lab, { name, namespace, workers: 2, cloud })
  const begin = '-----BEGIN CERTIFICATE-----'
  const kubeconfigs = [
    ...Array.from({ length: 5 }, () => kubeconfigOf('https://127.0.0.1:1', begin.repeat(7_200))),
    ...Array.from({ length: 5 }, () => kubeconfigOf('https://127.0.0.1:1', begin.repeat(2_400))),
    ...Array.from({ length: 20 }, () => kubeconfigOf(`${servers.url}/slow`, servers.ca)),
    ...Array.from({ length: 4 }, () => kubeconfigOf(`${servers.url}/huge`, servers.ca)),
  ]
  for (const [n, kubeconfig] of kubeconfigs.entries()) {
    for (const [resource, object] of controlPlane(`away-${n}`, namespace, kubeconfig)) await make(resource, object)
  }
  for (let n = 0; n < 100; n++)
    await make(spotKind(`${cloud.prefix}Machine`), await bigMachine(lab, { n, namespace, cloud }))
  const owner = await ownerIdOf(lab, namespace)
  for (let n = 0; n < 100; n++) {
    for (const [resource, object] of await forged(lab, { n, namespace, cloud, owner })) await make(resource, object)
  }
  const groups = {
    launch: {
      [`pool aws/default/us-east-1 Spot:m5.large:us-east-1a`]: { failures: 9, failedAt: '2030-01-01T00:00:00Z' },
    },
  }
  const patch = { metadata: { annotations: { [annotations.backoff]: JSON.stringify(groups) } } }
  await lab.client.mergePatch(spotKind(`${cloud.prefix}Cluster`), { namespace, name }, { patch }, lab.ctx)
  const fighting = fight(lab, namespace, stop.signal)
  return {
    objects,
    requests: servers.requests,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await fighting
      servers.server.closeAllConnections()
      await new Promise<void>((resolve) => servers.server.close(() => resolve()))
    },
  }
}

/** A server with slow answers, and one with huge answers. */
async function startServers(): Promise<{ url: string; ca: string; server: Server; requests: () => number }> {
  const authority = createTestAuthority('hostile')
  let requests = 0
  const server = createServer(authority.issue('127.0.0.1'), (request, response) => {
    requests++
    if (request.url?.startsWith('/slow')) setTimeout(() => response.end('{"gitVersion":"v1.36.3"}'), slowMs)
    else flood(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, ca: authority.cert, server, requests: () => requests }
}

const chunk = '{"a":1},'.repeat(8_192)

/** As much as an earlier version read completely. It has an end, because Cluster API itself reads everything. */
const floodBytes = 111 * 1024 * 1024

function flood(response: ServerResponse): void {
  let left = floodBytes
  response.write('{"gitVersion":"v1.36.3","x":[')
  const more = () => {
    while (left > 0 && !response.destroyed && response.write(chunk)) left -= chunk.length
    left -= chunk.length
    if (response.destroyed) return
    if (left > 0) response.once('drain', more)
    else response.end('0]}')
  }
  more()
}

function kubeconfigOf(server: string, ca: string): string {
  const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') }
  return JSON.stringify({
    'current-context': 'x',
    clusters: [{ name: 'x', cluster }],
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
    users: [{ name: 'x', user: { token: 't' } }],
  })
}

/** A Cluster with a control plane elsewhere, owned as core does it. */
function controlPlane(called: string, namespace: string, kubeconfig: string): [Resource, object][] {
  const metadata = { name: called, namespace, labels: { 'cluster.x-k8s.io/cluster-name': called } }
  const data = { value: Buffer.from(kubeconfig).toString('base64') }
  const { group, kind } = externalControlPlanes
  const spec = { controlPlaneRef: { apiGroup: group, kind, name: called } }
  return [
    [secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { ...metadata, name: `${called}-kubeconfig` }, data }],
    [externalControlPlanes, { apiVersion: `${group}/v1alpha1`, kind, metadata }],
    [clusters, { apiVersion: core, kind: 'Cluster', metadata, spec }],
  ]
}

interface Numbered {
  readonly n: number
  readonly namespace: string
  readonly cloud: LabCloud
}

/** A fifth of the largest object, because API server and Cluster API of the lab have to hold them too. */
const labelBytes = 300_000

/** Only the size of a request bounds labels. */
async function bigMachine(lab: Lab, { n, namespace, cloud }: Numbered): Promise<object> {
  const labels: Record<string, string> = {}
  for (let size = 0; size < labelBytes; size += 330)
    labels[`x${size}.${'a'.repeat(200)}/${'b'.repeat(60)}`] = 'c'.repeat(60)
  const object = await machineOf(lab, { namespace, cloud })
  return { ...object, metadata: { name: `big-${n}`, namespace, labels } }
}

/** A machine with an attempt for a region that does not exist. */
async function forged(
  lab: Lab,
  { n, namespace, cloud, owner }: Numbered & { owner: string },
): Promise<[Resource, object][]> {
  const called = `forged-${n}`
  const resource = spotKind(`${cloud.prefix}Machine`)
  const labels = { 'cluster.x-k8s.io/cluster-name': name }
  const spec = {
    clusterName: name,
    bootstrap: { dataSecretName: `${name}-spot-bootstrap` },
    infrastructureRef: { apiGroup: resource.group, kind: resource.kind, name: called },
  }
  const attempt = {
    for: `${namespace}/${called}`,
    owner,
    n: 1,
    token: `token-${n}`,
    startedAt: '2026-01-01T00:00:00Z',
    scope: { cloud: cloud.name, identity: 'default', region: `us-hostile-${n}` },
  }
  const noted = { [annotations.attempt]: JSON.stringify(attempt) }
  const object = await machineOf(lab, { namespace, cloud })
  return [
    [machines, { apiVersion: core, kind: 'Machine', metadata: { name: called, namespace, labels }, spec }],
    [resource, { ...object, metadata: { name: called, namespace, labels, annotations: noted } }],
  ]
}

async function machineOf(lab: Lab, { namespace, cloud }: Omit<Numbered, 'n'>): Promise<object> {
  const { group, kind, plural } = spotKind(`${cloud.prefix}Machine`)
  const templates: Resource = {
    ...spotKind(`${cloud.prefix}Machine`),
    plural: plural.replace(/s$/, 'templates'),
    kind: `${kind}Template`,
  }
  const { items } = await lab.client.list<KubeObject & { spec: { template: { spec: object } } }>(
    templates,
    { namespace },
    lab.ctx,
  )
  return { apiVersion: `${group}/v1alpha1`, kind, spec: items[0]?.spec.template.spec }
}

async function ownerIdOf(lab: Lab, namespace: string): Promise<string> {
  return eventually('the owner id stands on the Cluster', async () => {
    const { metadata } = await lab.client.get<Cluster>(clusters, { namespace, name }, lab.ctx)
    const owner = metadata.annotations?.[annotations.ownerId]
    if (owner === undefined) throw new Error('not yet')
    return owner
  })
}

/** Writes another threshold into each health check that the manager keeps, again and again. */
async function fight(lab: Lab, namespace: string, signal: AbortSignal): Promise<void> {
  for (let n = 0; !signal.aborted; n++) {
    const { items } = await lab.client.list(machineHealthChecks, { namespace }, lab.ctx)
    for (const { metadata } of items) {
      const patch = { spec: { checks: { nodeStartupTimeoutSeconds: 600 + (n % 100) } } }
      await lab.client
        .mergePatch(machineHealthChecks, { namespace, name: metadata.name }, { patch }, lab.ctx)
        .catch(() => {})
    }
    await sleep(100, undefined, { signal }).catch(() => {})
  }
}
