import { CloudError } from '../../api/cloud-error.ts'

/** Characters that servers, proxies and URL parsers may read as more than a part of one segment, encoded or not. */
const unsafe = /[/\\?#%\p{Cc}]/u

/**
 * A path of its segments, each encoded. Names, ids and zones come from specs, annotations and answers: none of them can
 * lead to another call than the one that is meant.
 */
export function pathOf(segments: readonly string[]): string {
  return segments.map(encoded).join('/')
}

function encoded(segment: string): string {
  const isStep = segment === '' || segment === '.' || segment === '..'
  if (!isStep && !unsafe.test(segment) && segment.isWellFormed()) return encodeURIComponent(segment)
  const message = `${JSON.stringify(segment.slice(0, 100))} is not a valid name, id or zone in a cloud; correct it.`
  throw new CloudError('invalid', { code: 'InvalidPath', message })
}
