import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readDefinitions } from '../../crds/definition.ts'
import { clouds } from '../../providers/registry.ts'
import { componentsOf, type Component } from '../components.ts'

interface Role extends Component {
  rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[]
}

const definitions = readDefinitions(join(import.meta.dirname, '..', '..', 'crds'))
const roles = componentsOf(import.meta.dirname).filter(({ kind }) => /^(Cluster)?Role$/.test(kind)) as Role[]

function role(name: string): Role {
  const found = roles.find(({ metadata }) => metadata.name === name)
  if (!found) throw new Error(`config/rbac has no role ${name}.`)
  return found
}

/** The grants of a role, as `verb group/resource`. */
function grants({ rules }: Role): string[] {
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((name) => verbs.map((verb) => `${verb} ${group}/${name}`))),
  )
}

function eachCloudOf(what: 'machines' | 'clusters'): string[] {
  return Object.values(clouds).map((cloud) => `${cloud[what].group}/${cloud[what].plural}`)
}

test.each(roles)('$metadata.name names what it grants, once and without a wildcard', (each) => {
  const all = grants(each)
  expect(all.filter((grant) => grant.includes('*'))).toEqual([])
  expect(all).toEqual([...new Set(all)])
})

describe('the manager', () => {
  const granted = grants(role('capspot-system-manager'))

  test('makes only events, its own health checks and its view of offerings, deletes only the latter two and Machines, and overwrites nothing', () => {
    const mighty = granted.filter((grant) =>
      /^(create|update|delete|deletecollection|bind|escalate|impersonate) /.test(grant),
    )
    // No such subresource exists. The policy that guards our annotations checks this right.
    expect(mighty.filter((grant) => !grant.endsWith('/attempt')).toSorted()).toEqual(
      [
        'create /events',
        'create cluster.x-k8s.io/machinehealthchecks',
        'delete cluster.x-k8s.io/machinehealthchecks',
        'delete cluster.x-k8s.io/machines',
        'create spot.cluster.x-k8s.io/capacitypools',
        'delete spot.cluster.x-k8s.io/capacitypools',
      ].toSorted(),
    )
  })

  /** The reasons to read an object by its name. All others are known from caches, which list and watch. */
  const readByName: Record<string, readonly string[]> = {
    'after a write was refused, before an end, and where a Machine seems to have lost it': [
      ...eachCloudOf('machines'),
      'cluster.x-k8s.io/machines',
    ],
    'its uid tells one management cluster from another': ['/namespaces'],
    'how often something failed stands there, and the owner id before it is put back': eachCloudOf('clusters'),
    'and stood there in older versions': ['cluster.x-k8s.io/machinedeployments', 'cluster.x-k8s.io/machinesets'],
    'bootstrap data and kubeconfigs': ['/secrets'],
  }

  test('F17: reads by name what it has a reason to, and nothing else', () => {
    const wanted = Object.values(readByName).flatMap((names) => names.map((name) => `get ${name}`))
    expect(granted.filter((grant) => grant.startsWith('get ')).toSorted()).toEqual(wanted.toSorted())
  })

  test('reads a Secret by its name only: it can neither list nor watch them', () => {
    expect(granted.filter((grant) => grant.endsWith('/secrets'))).toEqual(['get /secrets'])
  })

  test('writes to the objects of core what the remediation controller marks them with, the annotation on the Cluster, and the end of a Machine', () => {
    const reading = /^(get|list|watch) /
    const core = granted.filter((grant) => / cluster\.x-k8s\.io\//.test(grant) && !reading.test(grant))
    expect(core.toSorted()).toEqual([
      'create cluster.x-k8s.io/machinehealthchecks',
      'delete cluster.x-k8s.io/machinehealthchecks',
      'delete cluster.x-k8s.io/machines',
      'patch cluster.x-k8s.io/clusters',
      'patch cluster.x-k8s.io/machinehealthchecks',
      'patch cluster.x-k8s.io/machines',
      'patch cluster.x-k8s.io/machines/status',
      'update cluster.x-k8s.io/clusters/attempt',
      'update cluster.x-k8s.io/machines/attempt',
    ])
  })

  test('may write the annotations that are guarded, which is all that a restore may', () => {
    const restoring = grants(role('capspot-system-restore'))
    expect(restoring.every((grant) => /^update [a-z0-9.-]+\/[a-z]+\/attempt$/.test(grant))).toBe(true)
    expect(granted.filter((grant) => grant.endsWith('/attempt')).toSorted()).toEqual(restoring.toSorted())
  })

  test('cannot change the owners of Machines, because that right runs code on every Node', () => {
    const makers = granted.filter((grant) => / cluster\.x-k8s\.io\/machine(deployment|set)s/.test(grant))
    expect(makers.filter((grant) => !/^(get|list|watch) /.test(grant))).toEqual([])
  })

  test('writes the status of every kind that has a controller', () => {
    const kinds = definitions
      .map(({ spec }) => spec.names.plural)
      .filter((plural) => !plural.endsWith('clustertemplates'))
    const wanted = kinds.flatMap((plural) => [
      `watch spot.cluster.x-k8s.io/${plural}`,
      `patch spot.cluster.x-k8s.io/${plural}/status`,
    ])
    expect(wanted.filter((grant) => !granted.includes(grant))).toEqual([])
  })
})

describe('core', () => {
  const aggregated = role('capspot-system-core')

  test('gets the role by its label', () => {
    expect(aggregated.metadata.labels?.['cluster.x-k8s.io/aggregate-to-manager']).toBe('true')
  })

  test('may do with each of our kinds that it knows what the contract asks for, and nothing else', () => {
    const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']
    const touched = definitions.filter(({ spec }) => !['InterruptionPolicy', 'CapacityPool'].includes(spec.names.kind))
    const wanted = touched.flatMap(({ spec }) => verbs.map((verb) => `${verb} ${spec.group}/${spec.names.plural}`))
    expect(grants(aggregated).toSorted()).toEqual(wanted.toSorted())
  })
})
