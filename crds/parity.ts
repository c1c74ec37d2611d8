import { isDeepStrictEqual } from 'node:util'
import { type Definition, type Rule, type Schema, schemaOf } from './definition.ts'

/**
 * A template describes its machines, so its schema and rules are those of the machine. Otherwise a template could be
 * accepted although each of its machines is refused. There are three exceptions: providerID, which belongs to one
 * machine; the rules on change, because an admission policy keeps the spec of a template; and the pattern of a field
 * that may hold a placeholder such as REPLACEME until a patch of a ClusterClass replaces it.
 */
export function templateDrift(machine: Definition, template: Definition): string | undefined {
  const [from, to] = [machine.spec.names.kind, template.spec.names.kind]
  const has = schemaOf(template).properties?.['spec']?.properties?.['template']?.properties?.['spec']
  const machineSpec = schemaOf(machine).properties?.['spec']
  if (!machineSpec) return `crds/${from}.yaml has no spec.`
  if (!has) return `crds/${to}.yaml has no spec.template.spec; it has to be the spec of crds/${from}.yaml.`
  const path = firstDifference(forTemplate(machineSpec), has, 'spec.template.spec')
  if (path === undefined) return undefined
  return `crds/${to}.yaml differs from crds/${from}.yaml at ${path}. Make the two alike there.`
}

/** The spec of a machine as the template must have it. */
function forTemplate(spec: Schema): Schema {
  const { providerID: _, ...properties } = spec.properties ?? {}
  return withoutChangeRules({ ...spec, properties: withPlaceholders(properties) })
}

const placeholders: ReadonlySet<string> = new Set(['instanceType', 'profile'])

function withPlaceholders(properties: Record<string, Schema>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { pattern, ...rest }]) => [
      name,
      pattern === undefined || placeholders.has(name) ? rest : { ...rest, pattern },
    ]),
  )
}

function withoutChangeRules(schema: Schema): Schema {
  const rules = schema['x-kubernetes-validations']?.filter(({ rule }: Rule) => !/\boldSelf\b/.test(rule))
  const { 'x-kubernetes-validations': _, ...rest } = schema
  return rules && rules.length > 0 ? { ...rest, 'x-kubernetes-validations': rules } : rest
}

function firstDifference(want: unknown, has: unknown, path: string): string | undefined {
  if (isDeepStrictEqual(want, has)) return undefined
  if (!isRecord(want) || !isRecord(has)) return path
  for (const key of new Set([...Object.keys(want), ...Object.keys(has)])) {
    const deeper = firstDifference(want[key], has[key], `${path}.${key}`)
    if (deeper !== undefined) return deeper
  }
  return path
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
