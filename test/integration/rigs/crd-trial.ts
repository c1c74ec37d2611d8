import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { spotKind } from '../../../api/kinds.ts'
import { fieldsOf, readDefinitions, schemaOf } from '../../../crds/definition.ts'
import { startLab, type Lab } from '../../lab/lab.ts'
import type { Case } from '../cases/crd-cases.ts'

export const definitions = readDefinitions(path.join(import.meta.dirname, '..', '..', '..', 'crds'))

let lab: Lab
let namespace: string
let made = 0

/** Lets the tests of a file try kinds on the API server, in their own namespace. */
export function onTheApiserver(): void {
  beforeAll(async () => {
    lab = await startLab({ cluster: inject('cluster') })
    namespace = await lab.namespace('crds')
  })
  afterAll(() => lab.stop())
}

/** Creates an object; resolves with its name. */
export async function create(
  kind: string,
  spec: object | undefined,
  name = `${kind.toLowerCase()}-${++made}`,
): Promise<string> {
  const object = { metadata: { name, namespace }, ...(spec ? { spec } : {}) }
  await lab.client.create(spotKind(kind), object, lab.ctx)
  return name
}

export async function patch(
  kind: string,
  name: string,
  change: { patch: object; subresource?: string },
): Promise<unknown> {
  return lab.client.mergePatch(spotKind(kind), { namespace, name }, change, lab.ctx)
}

export async function specOf(kind: string, name: string): Promise<object> {
  return (await lab.client.get<{ spec: object }>(spotKind(kind), { namespace, name }, lab.ctx)).spec
}

/** The cases of a kind, each with its spec put where the kind has it. */
export function tryCases(
  kind: string,
  cases: readonly Case[],
  place: (spec: object) => object,
  specPath = 'spec',
): void {
  const takes = ({ says, isPlaceholder }: Case) => says === undefined || (isPlaceholder && kind.endsWith('Template'))
  const accepted = cases.filter(takes)
  const refused = cases.flatMap((one) => (takes(one) ? [] : [{ ...one, says: one.says ?? '' }]))
  test.each(accepted)('accepts: $because', async ({ spec }) => {
    await expect(create(kind, place(spec))).resolves.toBeDefined()
  })
  test.each(refused)('refuses: $because', async ({ spec, says }) => {
    await expect(create(kind, place(spec))).rejects.toThrow(says.replace(/^spec\b/, specPath))
  })
}

/** The fields of a kind's spec, without providerID and those that exist only to be refused. */
export function specFields(kind: string): string[] {
  const definition = definitions.find(({ spec }) => spec.names.kind === kind)
  const schema = definition && schemaOf(definition).properties?.['spec']
  const rules = (schema?.['x-kubernetes-validations'] ?? []).map(({ rule }) => rule)
  return Object.keys(schema?.properties ?? {}).filter(
    (field) => field !== 'providerID' && !rules.includes(`!has(self.${field})`),
  )
}

/** Rules of these kinds without a refused case. `bySelf`: rules with tests of their own. */
export function rulesWithoutCase(prefix: string, cases: readonly Case[], bySelf: readonly string[]): unknown[] {
  const said = cases.map(({ says }) => says?.replace(/^.*Invalid value: /, '') ?? '-')
  return definitions
    .filter(({ spec }) => spec.names.kind.startsWith(prefix))
    .flatMap((definition) => [...fieldsOf(schemaOf(definition))])
    .flatMap(({ schema }) => schema['x-kubernetes-validations'] ?? [])
    .filter(({ message = '' }) => ![...said, ...bySelf].some((start) => message.startsWith(start)))
}
