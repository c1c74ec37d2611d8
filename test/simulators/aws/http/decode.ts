import { Ec2Error, invalidValue, missing, notSimulated } from './errors.ts'
import type { Field, Fields, Values } from '../../kit/http/schema.ts'

export type Parameters = Readonly<Record<string, string>>

/** The dots of EC2's flat names, unfolded. */
type Node = string | Map<string, Node>

/** Reads flat parameters by the table of an action. Throws what EC2 answers to parameters that do not fit it. */
export function decode<F extends Fields>(fields: F, parameters: Parameters): Values<F> {
  return structureOf(unfold(parameters), fields, '') as Values<F>
}

function unfold(parameters: Parameters): Map<string, Node> {
  const root = new Map<string, Node>()
  for (const [path, value] of Object.entries(parameters)) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    let node = root
    for (const name of names) {
      const inner = node.get(name) ?? new Map<string, Node>()
      if (typeof inner === 'string') throw unknown(path)
      node.set(name, inner)
      node = inner
    }
    if (node.has(last)) throw unknown(path)
    node.set(last, value)
  }
  return root
}

function unknown(path: string): Ec2Error {
  const leaf = path.split('.').findLast((name) => !/^\d+$/.test(name)) ?? path
  return new Ec2Error('UnknownParameter', `The parameter ${leaf} is not recognized`)
}

function structureOf(node: Node, fields: Fields, path: string): Readonly<Record<string, unknown>> {
  if (typeof node === 'string') throw unknown(path)
  for (const name of node.keys()) {
    if (!Object.hasOwn(fields, name)) throw unknown(join(path, name))
  }
  const values: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) {
    const inner = node.get(name)
    if (inner !== undefined) values[name] = valueOf(inner, field, join(path, name))
    else if (field.required) throw missing(join(path, name))
  }
  return values
}

function valueOf(node: Node, field: Field, path: string): unknown {
  if (field.kind === 'notSimulated') throw notSimulated(`the parameter ${path}`)
  if (field.kind === 'structure') return structureOf(node, field.fields, path)
  if (field.kind === 'list') return listOf(node, field.of, path)
  if (typeof node !== 'string') throw unknown(join(path, [...node.keys()][0] ?? ''))
  const value = scalarOf(node, field)
  if (value !== undefined) return value
  throw invalidValue(`Value (${node}) for parameter ${path} is invalid. ${expected(field)}`)
}

type Scalar = Exclude<Field, { kind: 'notSimulated' | 'structure' | 'list' }>

/** Undefined: the text is no such value. */
function scalarOf(given: string, field: Scalar): unknown {
  switch (field.kind) {
    case 'text':
      return given
    case 'integer':
      return /^-?\d{1,9}$/.test(given) ? Number(given) : undefined
    case 'boolean':
      return ['true', 'false'].includes(given) ? given === 'true' : undefined
    case 'time':
      return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(given) ? finite(Date.parse(given)) : undefined
    case 'word':
      return field.words.includes(given) ? given : undefined
    default:
      throw new Error(`No parameter of EC2 is of the kind ${field.kind}`)
  }
}

function finite(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined
}

function expected(field: Scalar): string {
  return field.kind === 'word'
    ? `Valid values: ${field.words.join(' | ')}.`
    : `Parameter must be of type ${field.kind}.`
}

/** Lists are numbered from 1; gaps do no harm, the order of the numbers counts. */
function listOf(node: Node, of: Field, path: string): unknown[] {
  if (typeof node === 'string') throw unknown(path)
  const entries = [...node].map(([index, inner]) => {
    if (!/^[1-9]\d{0,5}$/.test(index)) throw unknown(join(path, index))
    return { index: Number(index), inner }
  })
  return entries
    .sort((a, b) => a.index - b.index)
    .map(({ index, inner }) => valueOf(inner, of, join(path, String(index))))
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
