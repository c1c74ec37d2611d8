import { load } from 'js-yaml'

export type Fields = Readonly<Record<string, unknown>>

/** The cluster and user of the current context. */
export interface Chosen {
  readonly cluster: Fields
  readonly user: Fields
}

/** A fault of a kubeconfig, as a sentence that repeats nothing of its text. */
export class Complaint extends Error {}

/** The limit of certificates and keys before base64. A certificate has about two KiB, so this is a chain of thirty. */
export const maxPemKiB = 64

export function readKubeconfig(text: string, { maxKiB }: { maxKiB: number }): Chosen {
  if (text.length > maxKiB * 1024) {
    throw new Complaint(`The kubeconfig is longer than ${maxKiB} KiB; keep only the context that is used.`)
  }
  const document = mapping(yaml(text), 'The kubeconfig')
  if (typeof document['current-context'] !== 'string' || document['current-context'] === '') {
    throw new Complaint('The kubeconfig has no `current-context`; set it to the context to use.')
  }
  const context = mapping(entry(document, 'context', document['current-context']), 'The current context')
  return {
    cluster: mapping(entry(document, 'cluster', context['cluster']), "The current context's cluster"),
    user: mapping(entry(document, 'user', context['user']), "The current context's user"),
  }
}

/** The field as text; undefined where it is missing or empty. */
export function textField(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  if (!isSet(value)) return undefined
  if (typeof value !== 'string') throw new Complaint(`The kubeconfig's \`${name}\` must be text.`)
  return value.trim()
}

/** The PEM text of a field that holds it in base64. */
export function pemField(fields: Fields, name: string): string | undefined {
  const encoded = textField(fields, name)
  if (encoded === undefined) return undefined
  const pem = Buffer.from(encoded, 'base64').toString('utf8')
  if (pem.length > maxPemKiB * 1024) {
    throw new Complaint(
      `The kubeconfig's \`${name}\` is longer than ${maxPemKiB} KiB; keep only what the context needs.`,
    )
  }
  if (!pem.includes('-----BEGIN ')) throw new Complaint(`The kubeconfig's \`${name}\` must be PEM in base64.`)
  return pem
}

/** Tools write empty, null and false for "not used". */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && value !== false
}

/** A parser's message shows the faulty line, which may be a token. */
function yaml(text: string): unknown {
  try {
    return load(text, { maxDepth: 20, maxAliases: 100 })
  } catch {
    throw new Complaint('The kubeconfig is not valid YAML; check it with `kubectl config view --kubeconfig <file>`.')
  }
}

function entry(document: Fields, kind: 'context' | 'cluster' | 'user', name: unknown): unknown {
  const entries = document[`${kind}s`]
  for (const candidate of Array.isArray(entries) ? (entries as unknown[]) : []) {
    if (isMapping(candidate) && typeof name === 'string' && candidate['name'] === name) return candidate[kind]
  }
  throw new Complaint(`The kubeconfig's current context names a missing entry of \`${kind}s\`; add it.`)
}

function mapping(value: unknown, what: string): Fields {
  if (!isMapping(value)) throw new Complaint(`${what} is not a YAML mapping; create the kubeconfig again.`)
  return value
}

function isMapping(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
