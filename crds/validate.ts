import { Ajv, type ErrorObject } from 'ajv'
import { readDefinitions, schemaWithTypeMeta } from './definition.ts'

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const ajv = newAjv()

const validators = new Map(
  readDefinitions(import.meta.dirname).map((definition) => [
    definition.spec.names.kind,
    ajv.compile(schemaWithTypeMeta(definition)),
  ]),
)

/**
 * One sentence for each error in the shape of an object, with the field. Unknown fields are accepted, because the CRD
 * in the cluster may be newer. Only the API server checks the CEL rules.
 */
export function validate(kind: string, object: unknown): string[] {
  const check = validators.get(kind)
  if (!check) throw new Error(`There is no crds/${kind}.yaml.`)
  return check(object) ? [] : (check.errors ?? []).map((error) => sentence(kind, error))
}

/**
 * Adds the parts of structural schemas beyond JSON Schema: keywords for the API server, and three formats. Types are
 * not strict, because an int-or-string has no type.
 */
function newAjv(): Ajv {
  const made = new Ajv({ allErrors: true, strict: true, strictTypes: false, verbose: true })
  for (const name of [
    'validations',
    'list-type',
    'list-map-keys',
    'map-type',
    'int-or-string',
    'preserve-unknown-fields',
  ]) {
    made.addKeyword(`x-kubernetes-${name}`)
  }
  made.addFormat('int32', { type: 'number', validate: (value) => value === (value | 0) })
  made.addFormat('int64', { type: 'number', validate: Number.isSafeInteger })
  made.addFormat('date-time', (text) => rfc3339.test(text) && !Number.isNaN(Date.parse(text)))
  return made
}

function sentence(kind: string, error: ErrorObject): string {
  const path = error.instancePath.split('/').slice(1).map(unescaped)
  if (error.keyword === 'required') {
    return `${[...path, String(error.params['missingProperty'])].join('.')} is missing; set it.`
  }
  return `${path.join('.') || kind} is ${shown(error.data)}, but it ${demand(error)}.`
}

/** A step of a JSON pointer. */
function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The error of ajv as the end of our sentence. */
function demand({ keyword, message = 'is refused', params }: ErrorObject): string {
  if (keyword === 'enum') return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`
  if (keyword === 'type') return `must be of type ${params['type']}`
  return message.replace('NOT', 'not')
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return `an object of ${Object.keys(value).length} fields`
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`
}
