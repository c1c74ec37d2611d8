import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest'
import type { AWSMachineTemplate } from '../../api/generated/aws-machine-template.ts'
import { clusters } from '../../api/kinds.ts'
import { owningClusterKey } from '../../api/machine.ts'
import { createClient, type KubeClient } from '../../controllers/runtime/client/client.ts'
import { createCache } from '../../controllers/runtime/cache/cache.ts'
import { loadConnection } from '../../controllers/runtime/client/kubeconfig.ts'
import { Queue } from '../../controllers/runtime/controller/queue.ts'
import { projectCluster, projectInfraCluster } from '../../controllers/manager/projections.ts'
import { runTemplates } from '../../controllers/template/controller.ts'
import { projectTemplate, templateKind } from '../../controllers/template/template.ts'
import { CloudRegistry } from '../../providers/registry.ts'
import { eventually } from '../lab/eventually.ts'
import { awsClusters, awsMachines, SpotRig } from './rigs/spot-rig.ts'

const resource = templateKind(awsMachines)
let rig: SpotRig
let client: KubeClient
let running: Promise<unknown>

/** The template controller alone, on the real API server and core, with the manager's own user. */
beforeEach(async () => {
  rig = await SpotRig.start(inject('cluster'))
  vi.stubEnv('AWS_ENDPOINT_URL_EC2', rig.aws.url)
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'lab')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'lab')
  const { ctx, cluster } = rig.lab
  client = createClient(await loadConnection(cluster.managerKubeconfig, ctx), { userAgent: 'templates' })
  const source = { client, namespace: rig.namespace }
  const registry = new CloudRegistry(() => ({}))
  const indexes = { cluster: owningClusterKey }
  const deps = {
    client,
    resource,
    templates: createCache({ ...source, resource, project: projectTemplate, indexes }),
    clusters: createCache({ ...source, resource: clusters, project: projectCluster }),
    clusterResource: awsClusters,
    notAllowed: () => undefined,
    infraClusters: createCache({ ...source, resource: awsClusters, project: projectInfraCluster }),
    cloud: () => registry.load('aws'),
  }
  const caches = [deps.templates, deps.clusters, deps.infraClusters]
  const controller = async () => {
    for (const cache of caches) await cache.synced(ctx)
    await runTemplates(deps, { queue: new Queue(ctx), workers: 2 }, ctx)
  }
  running = Promise.allSettled([...caches.map((cache) => cache.run(ctx)), controller()])
})
afterEach(async () => {
  await rig[Symbol.asyncDispose]()
  await running
  await client.close()
  vi.unstubAllEnvs()
})

it('a template that a MachineDeployment names says what its machines would offer, though there is none', async () => {
  await rig.applyExamples(0)
  const [template] = await eventually(
    'the template has a capacity',
    async () => {
      const templates = await rig.list<AWSMachineTemplate>(resource)
      expect(templates.map(({ status }) => status)).toEqual([
        {
          capacity: { cpu: '2', memory: '8192Mi' },
          conditions: [expect.objectContaining({ type: 'CapacityKnown', status: 'True' })],
          nodeInfo: { architecture: 'amd64', operatingSystem: 'linux' },
        },
      ])
      return templates
    },
    { timeoutMs: 60_000 },
  )
  expect(template?.metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['Cluster c1'])
  expect(rig.calls('DescribeInstanceTypes')).toBe(1)
})
