import { placesIn, type Places } from '../kit/http/routes.ts'
import { invalidValue } from './http/errors.ts'

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

/** The parts of a reference of a form such as `projects/{project}/zones/{zone}/machineTypes/{name}`. */
export function readReference(
  reference: string,
  form: string,
  { project, field }: { readonly project: string; readonly field: string },
): Places {
  const parts = placesIn(pathOf(reference, project), form)
  if (parts) return parts
  throw invalidValue(field, reference, `The URL is malformed. Must be a valid reference such as ${form}.`)
}
