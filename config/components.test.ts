import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { annotations, requests } from '../api/labels.ts'
import { readDefinitions } from '../crds/definition.ts'
import { nodeOptions } from '../scripts/build.ts'
import { componentsOf, type Component } from './components.ts'
import { readOptions } from './options.ts'

const components = componentsOf()
const definitions = readDefinitions(path.join(import.meta.dirname, '..', 'crds'))
const ofKind = (kind: string) => components.filter((component) => component.kind === kind)
const provider = 'infrastructure-spot'
const guard = 'capspot-provider-annotations'

test('all of it is marked as ours, for clusterctl to find', () => {
  const unmarked = components.filter(({ metadata }) => metadata.labels?.['cluster.x-k8s.io/provider'] !== provider)
  expect(unmarked.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([])
})

test('it is one of each', () => {
  const names = components.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  expect(names).toEqual([...new Set(names)])
})

test('every kind of crds/ is in it', () => {
  const defined = ofKind('CustomResourceDefinition').map(({ metadata }) => metadata.name)
  expect(defined).toEqual(definitions.map(({ metadata }) => metadata.name))
})

test('there is one namespace, and all that lives in a namespace lives there', () => {
  const [namespace, ...others] = ofKind('Namespace').map(({ metadata }) => metadata.name)
  expect(others).toEqual([])
  const namespaced = components.filter(({ metadata }) => metadata.namespace !== undefined)
  expect([...new Set(namespaced.map(({ metadata }) => metadata.namespace))]).toEqual([namespace])
  const kinds = new Set(['ServiceAccount', 'Role', 'RoleBinding', 'Deployment'])
  expect(new Set(namespaced.map(({ kind }) => kind))).toEqual(kinds)
})

test('clusterctl delete finds the cluster-wide roles, by the name of the namespace before their own', () => {
  const [namespace] = ofKind('Namespace').map(({ metadata }) => metadata.name)
  const names = [...ofKind('ClusterRole'), ...ofKind('ClusterRoleBinding')].map(({ metadata }) => metadata.name)
  expect(names.filter((name) => !name.startsWith(`${namespace}-`))).toEqual([])
})

test('every role but that of core, and that for restores, is bound to the account of the manager', () => {
  const [deployment] = ofKind('Deployment') as Deployment[]
  const account = deployment?.spec.template.spec.serviceAccountName
  expect(ofKind('ServiceAccount').map(({ metadata }) => metadata.name)).toEqual([account])
  const bindings = [...ofKind('ClusterRoleBinding'), ...ofKind('RoleBinding')] as Binding[]
  for (const { subjects } of bindings) {
    expect(subjects).toEqual([{ kind: 'ServiceAccount', name: account, namespace: deployment?.metadata.namespace }])
  }
  const roles = [...ofKind('ClusterRole'), ...ofKind('Role')].map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  const bound = bindings.map(({ roleRef }) => `${roleRef.kind} ${roleRef.name}`)
  expect(roles.filter((role) => !bound.includes(role)).toSorted()).toEqual([
    'ClusterRole capspot-system-core',
    'ClusterRole capspot-system-restore',
  ])
})

describe('the manager', () => {
  const [deployment] = ofKind('Deployment') as Deployment[]
  const pod = deployment?.spec.template.spec
  const [container, ...others] = pod?.containers ?? []

  test('is the container that clusterctl looks for, with arguments that it takes', () => {
    expect([container?.name, others]).toEqual(['manager', []])
    expect(readOptions(container?.args ?? [], {})).toMatchObject({
      leaderElect: true,
      leaderElectionIdentity: '$(POD_UID)',
      metricsBindAddress: { port: container?.ports[0]?.containerPort },
    })
  })

  test('runs as the bench measures it', () => {
    expect(container?.env).toContainEqual({ name: 'NODE_OPTIONS', value: nodeOptions })
  })

  test('is let in where the namespace allows restricted pods only', () => {
    expect(ofKind('Namespace')[0]?.metadata.labels?.['pod-security.kubernetes.io/enforce']).toBe('restricted')
    expect(pod?.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(container?.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })
})

describe('the policies', () => {
  const policies = ofKind('ValidatingAdmissionPolicy') as Policy[]
  const plurals = definitions.map(({ spec }) => spec.names.plural)
  const covered = (name: string) =>
    policies
      .find(({ metadata }) => metadata.name === name)
      ?.spec.matchConstraints.resourceRules.flatMap(({ resources }) => resources)
      .filter((plural) => plurals.includes(plural))
      .toSorted()

  test('deny, each by its own binding', () => {
    const bindings = ofKind('ValidatingAdmissionPolicyBinding') as PolicyBinding[]
    expect(bindings.map(({ spec }) => spec.policyName)).toEqual(policies.map(({ metadata }) => metadata.name))
    for (const { spec } of bindings) expect(spec.validationActions).toEqual(['Deny'])
  })

  test('see every kind that they are for', () => {
    const templates = plurals.filter((plural) => plural.endsWith('templates'))
    const wanted = {
      'capspot-templates': templates,
      'capspot-own-keys': templates,
      [guard]: plurals.filter((plural) => /^(?!external).*(machine|cluster)s$/.test(plural)),
      'capspot-control-planes': plurals.filter((plural) => /machine(template)?s$/.test(plural)),
    }
    expect(Object.fromEntries(Object.keys(wanted).map((name) => [name, covered(name)]))).toEqual(wanted)
  })
})

test('every annotation that we keep on an object is guarded, and a role says who may write it', () => {
  const policy = ofKind('ValidatingAdmissionPolicy').find(({ metadata }) => metadata.name === guard)
  const named = new Set(JSON.stringify(policy).match(/spot\.cluster\.x-k8s\.io\/[a-z-]+/g))
  expect([...named].toSorted()).toEqual([...Object.values(annotations), requests.rehearse].toSorted())
  const rules = (policy as Policy | undefined)?.spec.matchConstraints.resourceRules ?? []
  const kinds = rules.flatMap(({ resources }) => resources.map((plural) => `${plural}/attempt`))
  const restore = ofKind('ClusterRole').find(({ metadata }) => metadata.name.endsWith('-restore')) as Role | undefined
  expect(restore?.rules.flatMap(({ resources }) => resources).toSorted()).toEqual(kinds.toSorted())
})

test('a kustomization that is more than a list is refused, since nothing here would do what it says', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'capspot-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const kustomization = 'apiVersion: v1\nkind: Kustomization\nresources: []\nnamePrefix: my-\n'
  await writeFile(path.join(folder, 'kustomization.yaml'), kustomization)
  expect(() => componentsOf(folder)).toThrow(
    /kustomization.yaml has namePrefix; write it into the resources themselves/,
  )
})

interface Deployment extends Component {
  spec: { template: { spec: Pod } }
}

interface Pod {
  serviceAccountName: string
  securityContext: object
  containers: Container[]
}

interface Container {
  name: string
  args: string[]
  env: object[]
  ports: { containerPort: number }[]
  securityContext: object
}

interface Binding extends Component {
  roleRef: { kind: string; name: string }
  subjects: object[]
}

interface Role extends Component {
  rules: { resources: string[] }[]
}

interface Policy extends Component {
  spec: { matchConstraints: { resourceRules: { resources: string[] }[] } }
}

interface PolicyBinding extends Component {
  spec: { policyName: string; validationActions: string[] }
}
