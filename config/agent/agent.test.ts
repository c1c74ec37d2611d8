import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { noticeConditions } from '../../api/rules/interruption/node-notice.ts'
import { conditionTypes } from '../../controllers/agent/announcement.ts'
import { variables } from '../../controllers/agent/settings.ts'
import { agentOptions, bundleAgent } from '../../scripts/build.ts'
import { componentsOf, type Component } from '../components.ts'

const docs = path.join(import.meta.dirname, '..', '..', 'docs')
const components = componentsOf(import.meta.dirname)

function component(kind: string): unknown {
  const found = components.filter((one) => one.kind === kind)
  expect(found).toHaveLength(1)
  return found[0]
}

interface Policy {
  spec: { variables: { name: string; expression: string }[] }
}

interface DaemonSet {
  spec: { template: { spec: PodSpec } }
}

interface PodSpec {
  nodeSelector: object
  tolerations: object[]
  hostNetwork?: boolean
  serviceAccountName: string
  securityContext: object
  terminationGracePeriodSeconds: number
  containers: { env: { name: string; valueFrom: object }[]; securityContext: object }[]
}

test('is no part of what clusterctl installs in the management cluster', () => {
  const installed = componentsOf().map(({ kind, metadata }) => `${kind}/${metadata.name}`)
  expect(components.filter(({ kind, metadata }) => installed.includes(`${kind}/${metadata.name}`))).toEqual([])
  expect(installed.filter((name) => name.includes('agent'))).toEqual([])
})

test('its account may read Nodes by name, write their status, and read the Pods of its namespace, and no more', () => {
  type Role = Component & { rules: object[] }
  const rules = (kind: string) => (component(kind) as Role).rules
  expect(rules('ClusterRole')).toEqual([
    { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
    { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] },
  ])
  expect(rules('Role')).toEqual([{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }])
})

test('its policy allows the conditions that it writes, and the manager reads all of them', () => {
  const { spec } = component('ValidatingAdmissionPolicy') as Policy
  const own = spec.variables.find(({ name }) => name === 'own')?.expression
  expect(load(own ?? '')).toEqual([...conditionTypes])
  expect(conditionTypes.filter((type) => !noticeConditions.has(type))).toEqual([])
})

test('it runs on interruptible Nodes whatever their taints, and has time for its last write', () => {
  const { spec } = component('DaemonSet') as DaemonSet
  const { nodeSelector, tolerations, terminationGracePeriodSeconds, containers } = spec.template.spec
  expect(nodeSelector).toEqual({ 'cluster.x-k8s.io/interruptible': '' })
  expect(tolerations).toEqual([{ operator: 'Exists' }])
  expect(terminationGracePeriodSeconds).toBeGreaterThan(25)
  const set = containers.flatMap(({ env }) => env.map(({ name }) => name))
  expect(set.filter((name) => !Object.hasOwn(variables, name))).toEqual([])
})

test('it reaches the metadata services, which answer the host alone, and may do nothing else there', () => {
  const { spec } = (component('DaemonSet') as DaemonSet).spec.template
  expect(spec.hostNetwork).toBe(true)
  const { labels } = (component('Namespace') as Component & { metadata: { labels: object } }).metadata
  expect(labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'privileged' })
  expect(spec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  expect(spec.containers.map(({ securityContext }) => securityContext)).toMatchObject([
    { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  ])
})

test('it knows its Node and its Pod, and speaks as its own account', () => {
  const { spec } = (component('DaemonSet') as DaemonSet).spec.template
  const field = (fieldPath: string) => ({ fieldRef: { fieldPath } })
  expect(spec.containers.flatMap(({ env }) => env)).toEqual([
    { name: 'NODE_NAME', valueFrom: field('spec.nodeName') },
    { name: 'POD_NAME', valueFrom: field('metadata.name') },
    { name: 'POD_NAMESPACE', valueFrom: field('metadata.namespace') },
  ])
  expect((component('ServiceAccount') as Component).metadata.name).toBe(spec.serviceAccountName)
})

test('its image runs the bundle with the options that are measured', async () => {
  const dockerfile = await readFile(path.join(docs, 'agent', 'Dockerfile'), 'utf8')
  const [, entry = ''] = /^ENTRYPOINT (.*)$/m.exec(dockerfile) ?? []
  expect(JSON.parse(entry)).toEqual(['node', ...agentOptions, '/agent.cjs'])
})

test('its bundle is one file of at most 100 KB that needs nothing but Node', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'agent-bundle-'))
  try {
    const file = await bundleAgent(path.join(folder, 'bundle'))
    expect((await stat(file)).size).toBeLessThanOrEqual(100 * 1024)
    const needed = [...(await readFile(file, 'utf8')).matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name)
    expect(needed.length).toBeGreaterThan(0)
    expect(needed.filter((name) => !name?.startsWith('node:'))).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('its page has each variable and each condition', async () => {
  const page = await readFile(path.join(docs, 'agent.md'), 'utf8')
  const missing = [...Object.keys(variables), ...conditionTypes].filter((name) => !page.includes(`\`${name}\``))
  expect(missing).toEqual([])
})
