import { invalidValue } from './errors.ts'

/** What stands in front of everything that GCE names. */
export const base = 'https://www.googleapis.com/compute/v1'

/** The full address of a resource, as GCE writes it. `path`: such as `projects/p/zones/z`. */
export function linkTo(path: string): string {
  return `${base}/${path}`
}

/**
 * Reads a reference that a caller wrote: a full address at whatever host, `projects/…`, or a part of it that begins
 * further down (`zones/…`, `regions/…`, `global/…`). The answer always begins with `projects/`.
 */
export function pathOf(reference: string, project: string): string {
  const path = reference.replace(/^https?:\/\/[^/]+\/compute\/v1\//, '')
  if (path.startsWith('projects/')) return path
  return /^(zones|regions|global)\//.test(path) ? `projects/${project}/${path}` : path
}

/** The parts of a reference that has this form, such as `projects/{project}/zones/{zone}/machineTypes/{name}`. */
export function partsOf(path: string, form: string): Readonly<Record<string, string>> | undefined {
  const names = form.split('/')
  const parts = path.split('/')
  if (parts.length !== names.length) return undefined
  const found: Record<string, string> = {}
  for (const [at, name] of names.entries()) {
    const part = parts[at] ?? ''
    if (name.startsWith('{')) found[name.slice(1, -1)] = part
    else if (name !== part) return undefined
  }
  return found
}

/** The same, where it must have this form. */
export function readReference(
  reference: string,
  form: string,
  { project, field }: { readonly project: string; readonly field: string },
): Readonly<Record<string, string>> {
  const parts = partsOf(pathOf(reference, project), form)
  if (parts) return parts
  throw invalidValue(field, reference, `The URL is malformed. Must be a valid reference such as ${form}.`)
}
