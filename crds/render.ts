import { isDeepStrictEqual } from 'node:util'
import { compile } from 'json-schema-to-typescript'
import { type Definition, type Schema, schemaWithTypeMeta } from './definition.ts'

/** A file that is generated from the CRDs, by its path in the repository. */
export interface Rendered {
  path: string
  text: string
}

/** The types of a kind. */
export async function render(definition: Definition): Promise<Rendered> {
  const { names, scope } = definition.spec
  const { kind } = names
  const note = `/* Made from crds/${kind}.yaml by \`npm run generate\`. Edits here are lost. */\n`
  const isNamespaced = scope === 'Namespaced'
  const types = await renderTypes({ kind, isNamespaced }, schemaWithTypeMeta(definition))
  return { path: `api/generated/${kebab(kind)}.ts`, text: note + types }
}

/** `AWSMachineTemplate` to `aws-machine-template`. */
function kebab(kind: string): string {
  return kind.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase()
}

async function renderTypes(
  { kind, isNamespaced }: Pick<Naming, 'kind' | 'isNamespaced'>,
  schema: Schema,
): Promise<string> {
  const imports = new Set<string>()
  const titled = forTypes(schema, { kind, isNamespaced, imports, titles: new Map() }, [])
  const types = await compile({ ...titled, title: kind } as Parameters<typeof compile>[0], kind, {
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    bannerComment: [...imports].toSorted().join('\n'),
    style: { semi: false, singleQuote: true, bracketSpacing: true, printWidth: 120 },
  })
  return types.trimStart()
}

interface Naming {
  kind: string
  isNamespaced: boolean
  imports: Set<string>
  /** Each object by its name: its schema and its type. */
  titles: Map<string, { schema: Schema; typed: Schema }>
}

/** Input for json-schema-to-typescript beside the schema: names for objects, and types that exist already. */
function forTypes(schema: Schema, naming: Naming, path: string[]): Schema {
  const known = knownType(naming, path.join('.'))
  if (known) {
    naming.imports.add(known.from)
    return { tsType: known.type, ...(schema.description === undefined ? {} : { description: schema.description }) }
  }
  const typed: Schema = { ...schema }
  if (schema.properties && path.length > 0) {
    const title = titleFor(naming.kind, path)
    const other = naming.titles.get(title)
    if (other && !isDeepStrictEqual(other.schema, schema)) {
      throw new Error(`crds/${naming.kind}.yaml has two objects that would both be named ${title}.`)
    }
    if (other) return other.typed
    naming.titles.set(title, { schema, typed })
    typed.title = title
  }
  if (schema.properties) {
    typed.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, forTypes(field, naming, [...path, name])]),
    )
  }
  if (schema.items) typed.items = forTypes(schema.items, naming, [...path, 'items'])
  return typed
}

function knownType({ kind, isNamespaced }: Naming, path: string): { type: string; from: string } | undefined {
  if (path === 'metadata') {
    return {
      type: isNamespaced ? 'ObjectMeta & { namespace: string }' : 'ObjectMeta',
      from: "import type { ObjectMeta } from '../meta.ts'",
    }
  }
  if (path === 'status.conditions.items') {
    return { type: 'Condition', from: "import type { Condition } from '../conditions.ts'" }
  }
  if (kind.endsWith('Template') && path === 'spec.template.spec') {
    const made = kind.slice(0, -'Template'.length)
    const from = `import type { ${made}Spec } from './${kebab(made)}.ts'`
    return { type: made.endsWith('Machine') ? `Omit<${made}Spec, 'providerID'>` : `${made}Spec`, from }
  }
  return undefined
}

/** `AWSMachine` and `spec.rootVolume` to `AWSMachineRootVolume`; of a list `AWSMachineAddress`, one of its entries. */
function titleFor(kind: string, path: string[]): string {
  const isEntry = path.at(-1) === 'items'
  const field = path.at(isEntry ? -2 : -1) ?? ''
  const noun = isEntry ? field.replace(/(?<=ss)es$|s$/, '') : field
  return `${kind}${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`
}
