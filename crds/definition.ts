import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'

/** The fields of a CRD's structural schema that we read. */
export interface Schema {
  type?: string
  title?: string
  description?: string
  format?: string
  enum?: string[]
  maxLength?: number
  maxItems?: number
  maxProperties?: number
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema
  'x-kubernetes-validations'?: Rule[]
  [keyword: string]: unknown
}

/** A rule in CEL. Only the API server checks it. */
export interface Rule {
  rule: string
  message?: string
  fieldPath?: string
}

export interface Column {
  name: string
  jsonPath: string
  priority?: number
}

export interface Version {
  name: string
  served: boolean
  storage: boolean
  subresources?: { status?: object }
  additionalPrinterColumns?: Column[]
  schema: { openAPIV3Schema: Schema }
}

/** A CustomResourceDefinition: one kind, one file of this folder, named after the kind. */
export interface Definition {
  metadata: { name: string; labels: Record<string, string> }
  spec: {
    group: string
    scope: string
    names: {
      kind: string
      listKind: string
      plural: string
      singular: string
      shortNames?: string[]
      categories?: string[]
    }
    versions: [Version]
  }
}

export function readDefinitions(folder: string): Definition[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml')
    .toSorted()
    .map((name) => load(readFileSync(join(folder, name), 'utf8')) as Definition)
}

export function schemaOf(definition: Definition): Schema {
  return definition.spec.versions[0].schema.openAPIV3Schema
}

/** The schema with the three fields that the API server defines, and a CRD may not. */
export function schemaWithTypeMeta(definition: Definition): Schema {
  const { group, names, versions } = definition.spec
  const schema = schemaOf(definition)
  return {
    ...schema,
    required: ['apiVersion', 'kind', 'metadata', ...(schema.required ?? [])],
    properties: {
      ...schema.properties,
      apiVersion: { type: 'string', enum: [`${group}/${versions[0].name}`] },
      kind: { type: 'string', enum: [names.kind] },
      metadata: { type: 'object' },
    },
  }
}

/** Every field of a schema with its path, in the usual form: `spec.subnets[].id`, `spec.additionalTags.*`. */
export function* fieldsOf(schema: Schema, path = ''): Generator<{ path: string; schema: Schema }> {
  yield { path, schema }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield* fieldsOf(field, path === '' ? name : `${path}.${name}`)
  }
  if (schema.items) yield* fieldsOf(schema.items, `${path}[]`)
  if (schema.additionalProperties) yield* fieldsOf(schema.additionalProperties, `${path}.*`)
}
