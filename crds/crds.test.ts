import { describe, expect, test } from 'vitest'
import { spotKind } from '../api/kinds.ts'
import { clouds } from '../providers/registry.ts'
import { type Definition, fieldsOf, readDefinitions, type Schema, schemaOf } from './definition.ts'

const definitions = readDefinitions(import.meta.dirname)
const named = definitions.map((definition) => ({ kind: definition.spec.names.kind, definition }))

/** No Cluster and no ClusterClass leads to these, so `clusterctl move` would leave them behind. */
const ownedByNobody = new Set(['InterruptionPolicy'])

/** Short names of core, and of other providers in the same management cluster. */
const takenShortNames = [
  'awsm',
  'awsmt',
  'awsc',
  'awsct',
  'awsmp',
  'cl',
  'ma',
  'md',
  'ms',
  'mhc',
  'mp',
  'cc',
  'kcp',
  'no',
  'po',
]

function part(definition: Definition, ...path: string[]): Schema {
  return path.reduce((schema, name) => schema.properties?.[name] ?? {}, schemaOf(definition))
}

function fields(definition: Definition) {
  return ['spec', 'status'].flatMap((root) => [...fieldsOf(part(definition, root), root)])
}

test.each(named)('$kind offers no field that does nothing', ({ definition }) => {
  const idle = fields(definition).filter(({ schema }) => /not in effect/i.test(schema.description ?? ''))
  expect(idle.map(({ path }) => path)).toEqual([])
})

test('there is a file for each kind', () => {
  const ofClouds = Object.values(clouds).flatMap(({ machines, clusters }) =>
    [machines.kind, clusters.kind].flatMap((kind) => [kind, `${kind}Template`]),
  )
  const kinds = [...ofClouds, 'ExternalControlPlane', 'InterruptionPolicy', 'CapacityPool']
  expect(named.map(({ kind }) => kind)).toEqual(kinds.toSorted())
})

describe.each(named)('$kind', ({ kind, definition }) => {
  const { names, group, scope, versions } = definition.spec

  const { plural } = spotKind(kind)

  test('is found by Cluster API and clusterctl', () => {
    expect(definition.metadata).toEqual({
      name: `${plural}.spot.cluster.x-k8s.io`,
      labels: {
        'cluster.x-k8s.io/provider': 'infrastructure-spot',
        'cluster.x-k8s.io/v1beta2': 'v1alpha1',
        ...(ownedByNobody.has(kind) ? { 'clusterctl.cluster.x-k8s.io/move': '' } : {}),
      },
    })
    const scopes = { group: 'spot.cluster.x-k8s.io', scope: kind === 'CapacityPool' ? 'Cluster' : 'Namespaced' }
    expect({ group, scope }).toEqual(scopes)
    expect(names).toMatchObject({
      listKind: `${kind}List`,
      plural,
      singular: kind.toLowerCase(),
    })
    expect(names.categories).toContain('cluster-api')
  })

  test('has short names that collide with no others', () => {
    const others = definitions.flatMap(({ spec }) => (spec.names.kind === kind ? [] : (spec.names.shortNames ?? [])))
    expect(names.shortNames).not.toEqual([])
    expect(names.shortNames?.filter((name) => takenShortNames.includes(name) || others.includes(name))).toEqual([])
  })

  test('keeps its status apart from its spec', () => {
    expect(
      versions.map(({ name, served, storage, subresources }) => ({ name, served, storage, subresources })),
    ).toEqual([{ name: 'v1alpha1', served: true, storage: true, subresources: { status: {} } }])
  })

  test('bounds every text, list and map', () => {
    const isBounded = ({
      type,
      enum: choices,
      format,
      maxLength,
      maxItems,
      additionalProperties,
      maxProperties,
    }: Schema) => {
      if (type === 'string') return maxLength !== undefined || choices !== undefined || format === 'date-time'
      if (type === 'array') return maxItems !== undefined
      return additionalProperties === undefined || maxProperties !== undefined
    }
    expect(
      fields(definition)
        .filter(({ schema }) => !isBounded(schema))
        .map(({ path }) => path),
    ).toEqual([])
  })

  test('says what every list is, so that several writers can share it', () => {
    const lists = fields(definition).filter(({ schema }) => schema.type === 'array')
    expect(
      lists.filter(({ schema }) => schema['x-kubernetes-list-type'] === undefined).map(({ path }) => path),
    ).toEqual([])
  })

  test('describes every field in a sentence', () => {
    const isEntry = (path: string) => path.endsWith('[]') || path.endsWith('.*')
    const silent = fields(definition).filter(
      ({ path, schema }) => !isEntry(path) && !/^[A-Z].*\.$/s.test(schema.description ?? ''),
    )
    expect(silent.map(({ path }) => path)).toEqual([])
    expect(schemaOf(definition).description).toMatch(/^[A-Z].*\.$/s)
  })

  test('explains every rule', () => {
    const rules = [...fieldsOf(schemaOf(definition))].flatMap(({ schema }) => schema['x-kubernetes-validations'] ?? [])
    expect(rules.filter(({ message }) => message === undefined || message.length < 40)).toEqual([])
  })

  test('has no failureDomain in its spec, which core would let overwrite that of the Machine', () => {
    expect(fields(definition).filter(({ path }) => /^spec\b.*\bfailureDomain$/.test(path))).toEqual([])
  })

  test('prints columns of fields that exist', () => {
    const known = new Set(fields(definition).map(({ path }) => `.${path}`))
    const paths = (versions[0].additionalPrinterColumns ?? []).map(({ jsonPath }) => jsonPath)
    const unknown = paths.filter((path) => {
      const [list] = path.split('[?')
      return !path.startsWith('.metadata.') && !known.has(list ?? path)
    })
    expect(unknown).toEqual([])
    expect(paths).toContain('.metadata.creationTimestamp')
  })
})

/** The fields of a spec without those that exist only to be refused. */
function acceptedFields(spec: Schema): string[] {
  const refused = new Set((spec['x-kubernetes-validations'] ?? []).map(({ rule }) => rule))
  return Object.keys(spec.properties ?? {}).filter((name) => !refused.has(`!has(self.${name})`))
}

describe('a machine', () => {
  const machines = named.filter(({ kind }) => kind.endsWith('Machine'))

  test.each(machines)(
    '$kind refuses a change of every field of its spec, and says so at that field',
    ({ definition }) => {
      const spec = part(definition, 'spec')
      const rules = (spec['x-kubernetes-validations'] ?? []).filter(({ rule }) => rule.includes('oldSelf'))
      const compared = (name: string) => {
        const same = `self.${name} == oldSelf.${name}`
        if (spec.required?.includes(name)) return same
        return `has(self.${name}) == has(oldSelf.${name}) && (!has(self.${name}) || ${same})`
      }
      const wanted = acceptedFields(spec).map((name) => ({
        fieldPath: `.${name}`,
        rule:
          name === 'providerID'
            ? '!has(oldSelf.providerID) || (has(self.providerID) && self.providerID == oldSelf.providerID)'
            : compared(name),
      }))
      const has = rules.map(({ fieldPath, rule }) => ({ fieldPath, rule }))
      expect(has).toHaveLength(wanted.length)
      expect(has).toEqual(expect.arrayContaining(wanted))
    },
  )

  test.each(machines)('$kind has a template', ({ kind }) => {
    expect(named.map((other) => other.kind)).toContain(`${kind}Template`)
  })
})

test('a template has no rule on change: Cluster API has to be able to try one in a dry run', () => {
  const templates = definitions.filter(({ spec }) => spec.names.kind.endsWith('Template'))
  expect(JSON.stringify(templates)).not.toContain('oldSelf')
})

test('a control plane has no version: core would hold every scale-up until a status version appears', () => {
  const controlPlane = named.find(({ kind }) => kind === 'ExternalControlPlane')?.definition
  expect(controlPlane && Object.keys(part(controlPlane, 'spec').properties ?? {})).toEqual(['controlPlaneEndpoint'])
})
