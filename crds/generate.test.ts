import { describe, expect, test } from 'vitest'
import { type Definition, readDefinitions, type Schema } from './definition.ts'
import { templateDrift } from './parity.ts'
import { render } from './render.ts'
import { staleness } from './staleness.ts'

function aDefinition(kind: string, spec: Schema): Definition {
  const name = kind.toLowerCase()
  return {
    metadata: { name: `${name}s.g`, labels: {} },
    spec: {
      group: 'g',
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural: `${name}s`, singular: name },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec } } },
        },
      ],
    },
  }
}

function aTemplate(spec: Schema): Definition {
  const template: Schema = { type: 'object', properties: { spec } }
  return aDefinition('ToyMachineTemplate', { type: 'object', properties: { template } })
}

const size: Schema = { type: 'integer', minimum: 1 }
const rules = [{ rule: 'self.size > 1', message: 'm' }]
const machine = aDefinition('ToyMachine', {
  type: 'object',
  'x-kubernetes-validations': [...rules, { rule: 'self.size == oldSelf.size' }],
  properties: {
    providerID: { type: 'string' },
    size,
    disks: { type: 'array', items: { type: 'object', properties: { size } } },
  },
})
const machineFields = {
  size,
  disks: { type: 'array', items: { type: 'object', properties: { size } } },
} satisfies Schema['properties']

describe('templateDrift', () => {
  test('is silent when the template is the machine, less providerID and the rules on change', () => {
    const template = aTemplate({ type: 'object', 'x-kubernetes-validations': rules, properties: machineFields })
    expect(templateDrift(machine, template)).toBeUndefined()
  })

  test.each([
    {
      because: 'a rule is missing',
      spec: { type: 'object', properties: machineFields },
      at: 'x-kubernetes-validations',
    },
    {
      because: 'a bound differs',
      spec: {
        type: 'object',
        'x-kubernetes-validations': rules,
        properties: { ...machineFields, size: { ...size, minimum: 2 } },
      },
      at: 'properties.size.minimum',
    },
    {
      because: 'providerID is one machine’s own',
      spec: {
        type: 'object',
        'x-kubernetes-validations': rules,
        properties: { ...machineFields, providerID: { type: 'string' } },
      },
      at: 'properties.providerID',
    },
  ] satisfies { because: string; spec: Schema; at: string }[])(
    'says where they differ when $because',
    ({ spec, at }) => {
      expect(templateDrift(machine, aTemplate(spec))).toBe(
        `crds/ToyMachineTemplate.yaml differs from crds/ToyMachine.yaml at spec.template.spec.${at}. Make the two alike there.`,
      )
    },
  )
})

describe('render', () => {
  test('names the parts of a kind and uses the types that exist', async () => {
    const types = await render(machine)
    expect(types.path).toBe('api/generated/toy-machine.ts')
    expect(types.text).toContain("kind: 'ToyMachine'")
    expect(types.text).toContain('metadata: ObjectMeta & { namespace: string }')
    expect(types.text).toContain('disks?: ToyMachineDisk[]')
    expect(types.text).toContain('export interface ToyMachineDisk {')
  })

  test('takes the spec of a template from its machine', async () => {
    const types = await render(aTemplate({ type: 'object', properties: machineFields }))
    expect(types.text).toContain("import type { ToyMachineSpec } from './toy-machine.ts'")
    expect(types.text).toContain("spec?: Omit<ToyMachineSpec, 'providerID'>")
  })

  const withTwo = (disk: Schema, other: Schema) =>
    aDefinition('ToyMachine', {
      type: 'object',
      properties: { disk, spare: { type: 'object', properties: { disk: other } } },
    })
  const disk: Schema = { type: 'object', properties: { size } }

  test('gives two objects that are alike one type', async () => {
    const types = await render(withTwo(disk, structuredClone(disk)))
    expect(types.text.match(/interface ToyMachineDisk\w* /g)).toEqual(['interface ToyMachineDisk '])
    expect(types.text.match(/disk\?: \w+/g)).toEqual(['disk?: ToyMachineDisk', 'disk?: ToyMachineDisk'])
  })

  test('refuses two different objects of one name', async () => {
    const other: Schema = { type: 'object', properties: { size: { type: 'string' } } }
    await expect(render(withTwo(disk, other))).rejects.toThrow('two objects that would both be named ToyMachineDisk')
  })

  test('gives the same text every time', async () => {
    const once = await Promise.all(readDefinitions(import.meta.dirname).map(render))
    const again = await Promise.all(readDefinitions(import.meta.dirname).map(render))
    expect(again).toEqual(once)
  })
})

describe('staleness', () => {
  const wanted = [{ path: 'a.ts', text: 'one\ntwo\n' }]

  test('is silent when the files are what they should be', () => {
    expect(staleness(wanted, wanted)).toEqual([])
  })

  test.each([
    { found: [], says: ['a.ts is missing. Run `npm run generate`.'] },
    {
      found: [{ path: 'a.ts', text: 'one\n2\n' }],
      says: ['a.ts is stale or was edited: line 2 is "2", not "two". Run `npm run generate`.'],
    },
    {
      found: [{ path: 'a.ts', text: 'one\ntwo\n\nmore' }],
      says: ['a.ts is stale or was edited: line 4 is "more", not absent. Run `npm run generate`.'],
    },
    {
      found: [...wanted, { path: 'old.ts', text: '' }],
      says: ['old.ts belongs to no CRD. Run `npm run generate`, which removes it.'],
    },
  ])('says $says', ({ found, says }) => {
    expect(staleness(wanted, found)).toEqual(says)
  })
})
