import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findCondition } from '../../api/conditions.ts'
import type { ExternalControlPlane } from '../../api/generated/external-control-plane.ts'
import { externalControlPlanes, machines, nodes, secrets } from '../../api/kinds.ts'
import type { KubeObject, ObjectMeta, Resource } from '../../api/meta.ts'
import { createClient, type KubeClient } from '../../controllers/runtime/client/client.ts'
import { parseWorkloadKubeconfig } from '../../controllers/runtime/client/kubeconfig.ts'
import { helpfulAccess, neededAccess } from '../../controllers/workload/access.ts'
import { eventually } from '../lab/eventually.ts'
import { typed } from '../lab/processes/kubectl.ts'
import { SpotRig } from './rigs/spot-rig.ts'

const root = path.join(import.meta.dirname, '..', '..')
const script = path.join(root, 'docs', 'workload-access', 'kubeconfig.sh')
const guide = path.join(root, 'docs', 'workload-access.md')
const core = (plural: string, kind: string): Resource => ({ group: '', version: 'v1', plural, kind, namespaced: true })
const pods = core('pods', 'Pod')
const account = { namespace: 'capspot-access', name: 'cluster-api' }

let rig: SpotRig
/** The output of the script. */
let bounded: string

/** The commands of the page for that cluster. */
async function commandsOn(cluster: 'workload' | 'management'): Promise<string> {
  const block = new RegExp(`\`\`\`sh ${cluster}\n(?<commands>[^]*?)\`\`\``).exec(await readFile(guide, 'utf8'))
  return (block?.groups?.['commands'] ?? '').replaceAll('docs/', `${root}/docs/`)
}

function shell(folder = rig.lab.folder) {
  const { kubeconfig } = rig.lab.cluster
  return { folder, kubeconfig, variables: { CLUSTER: 'c1', NAMESPACE: rig.namespace } }
}

beforeAll(async () => {
  rig = await SpotRig.start(inject('cluster'))
  bounded = await typed(`sh ${script} --duration 1h`, shell())
  await writeFile(path.join(rig.lab.folder, 'workload.kubeconfig'), bounded)
})

afterAll(async () => {
  const manifest = path.join(root, 'docs', 'workload-access', 'access.yaml')
  await typed(`kubectl delete --ignore-not-found --wait=false -f ${manifest}`, shell())
  await rig[Symbol.asyncDispose]()
})

test('with --duration the script makes a kubeconfig with a token that ends, for that cluster alone', async () => {
  const { server, ca } = parseWorkloadKubeconfig(bounded)
  expect({ server, ca }).toMatchObject({ server: rig.lab.cluster.admin.server, ca: rig.lab.cluster.admin.caPem })
  const elsewhere = await typed(`sh ${script} --duration 1h --server https://elsewhere.example.com`, shell())
  expect(parseWorkloadKubeconfig(elsewhere).server).toBe('https://elsewhere.example.com')
})

test('a wrong option ends with a sentence, and nothing on standard output', async () => {
  for (const wrong of ['--forever', '--duration', 'c1']) {
    await expect(typed(`sh ${script} ${wrong}`, shell())).rejects.toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/kubeconfig\.sh: (there is no option|--duration needs a value)/) as string,
    })
  }
})

test('core and the manager work by that kubeconfig: machines join, are labelled, drained and ended', async () => {
  // The examples have the Secret in cluster.yaml. The commands of the page create the same one.
  await typed(await commandsOn('management'), shell())
  const value = Buffer.from(bounded).toString('base64')
  const ref = { namespace: rig.namespace, name: 'c1-kubeconfig' }
  const secret = await rig.lab.client.get<KubeObject & { data?: object }>(secrets, ref, rig.lab.ctx)
  expect(secret).toMatchObject({ type: 'cluster.x-k8s.io/secret', data: { value } })
  expect(secret.metadata.labels).toEqual({ 'cluster.x-k8s.io/cluster-name': 'c1' })

  await rig.startManager()
  await rig.applyExamples(1, { WORKLOAD_KUBECONFIG_B64: value })
  await rig.running(1)
  await eventually('the control plane is available, and says until when', async () => {
    const [controlPlane] = await rig.list<ExternalControlPlane>(externalControlPlanes)
    const available = findCondition(controlPlane?.status?.conditions, 'Available')
    expect(available).toMatchObject({
      status: 'True',
      message: expect.stringContaining('credentials expire at') as string,
    })
  })
  const node = await eventually('core and the manager have labelled the Node', async () => {
    const [found] = await rig.nodes()
    expect(Object.keys(found?.metadata.labels ?? {})).toEqual(
      expect.arrayContaining(['cluster.x-k8s.io/interruptible', 'spot.cluster.x-k8s.io/capacity-type']),
    )
    return found?.metadata.name ?? ''
  })

  const pod = { namespace: rig.namespace, name: 'evicted' }
  const spec = { nodeName: node, terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i' }] }
  await rig.lab.apply([{ apiVersion: 'v1', kind: 'Pod', metadata: pod, spec } as never])
  await rig.scaleTo(0)
  await eventually(
    'the Pod was evicted, the Node is gone and the instance ended',
    async () => {
      await expect(rig.lab.client.get(pods, pod, rig.lab.ctx)).rejects.toMatchObject({ status: 404 })
      await expect(rig.lab.client.get(nodes, { name: node }, rig.lab.ctx)).rejects.toMatchObject({ status: 404 })
      expect([rig.alive(), await rig.list(machines)]).toEqual([[], []])
    },
    { timeoutMs: 60_000 },
  )
  await rig.deleteCluster()
})

test('it may do nothing else', async () => {
  await using workload = clientBy(bounded)
  const group = { group: 'authorization.k8s.io', version: 'v1', namespaced: false }
  const reviews = { ...group, plural: 'selfsubjectrulesreviews', kind: 'SelfSubjectRulesReview' }
  const review = { metadata: {} as ObjectMeta, spec: { namespace: 'default' } }
  const { status } = await workload.create<typeof review & { status?: { resourceRules: Rule[] } }>(
    reviews,
    review,
    rig.lab.ctx,
  )
  const granted = (status?.resourceRules ?? []).flatMap(({ verbs, apiGroups = [], resources = [] }) =>
    apiGroups.flatMap((group) => resources.flatMap((name) => verbs.map((verb) => `${verb} ${group}/${name}`))),
  )
  // Every user may read their own permissions.
  const own = granted.filter((what) => !/ auth(entication|orization)\.k8s\.io\//.test(what))
  const needed = [...neededAccess, ...helpfulAccess]
    .filter(({ path }) => path === undefined)
    .flatMap(({ verbs, group, resource }) => verbs.map((verb) => `${verb} ${group}/${resource}`))
  expect(own.toSorted()).toEqual(needed.toSorted())
  await expect(workload.list(secrets, {}, rig.lab.ctx)).rejects.toMatchObject({ status: 403 })
  expect(await workload.raw('/', rig.lab.ctx)).toContain('/api')
})

test('without --duration the token is that of a Secret, once the cluster has filled it in', async () => {
  const folder = await mkdtemp(path.join(rig.lab.folder, 'lasting-'))
  const made = commandsOn('workload').then((commands) => typed(commands, shell(folder)))
  // The controller that fills such Secrets does not run in the lab. The test fills it in.
  const { namespace, name } = account
  const ref = { namespace, name: `${name}-token` }
  await eventually('the script has made the Secret', async () => {
    const secret = await rig.lab.client.get<KubeObject & { type?: string }>(secrets, ref, rig.lab.ctx)
    expect(secret.type).toBe('kubernetes.io/service-account-token')
  })
  const token = (await typed(`kubectl create token ${name} --namespace ${namespace}`, shell())).trim()
  const patch = { data: { token: Buffer.from(token).toString('base64') } }
  await rig.lab.client.mergePatch(secrets, ref, { patch }, rig.lab.ctx)
  await made
  const lasting = await readFile(path.join(folder, 'workload.kubeconfig'), 'utf8')
  expect(await parseWorkloadKubeconfig(lasting).token?.()).toBe(token)
  await using client = clientBy(lasting)
  expect((await client.list(nodes, {}, rig.lab.ctx)).items).toBeInstanceOf(Array)
})

function clientBy(kubeconfig: string): KubeClient & AsyncDisposable {
  const client = createClient(parseWorkloadKubeconfig(kubeconfig), { userAgent: 'test' })
  return { ...client, [Symbol.asyncDispose]: () => client.close() }
}

interface Rule {
  verbs: string[]
  apiGroups?: string[]
  resources?: string[]
}
