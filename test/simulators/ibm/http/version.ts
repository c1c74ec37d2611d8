import { badParameter } from './errors.ts'

/** The API that is simulated, whatever the clock says. */
const simulated = '2026-10-07'
const first = '2019-01-01'

/** Every call says which API it means, by a date, and that it is the second generation of it. */
export function checkVersion(query: URLSearchParams, now: number): string {
  const form = 'it must be of the form `YYYY-MM-DD`.'
  const version = query.get('version')
  if (version === null) {
    throw badParameter('missing_version', 'version', `The \`version\` parameter is required, and ${form}`)
  }
  if (!isDate(version)) {
    throw badParameter('invalid_version', 'version', `The \`version\` parameter is invalid, ${form}`, version)
  }
  const today = new Date(now).toISOString().slice(0, 10)
  if (version < first || version > (today > simulated ? today : simulated)) {
    const sentence = `The \`version\` value cannot be set at a future date nor before \`${first}\`.`
    throw badParameter('invalid_version_range', 'version', sentence, version)
  }
  checkGeneration(query.get('generation'))
  return version
}

function checkGeneration(generation: string | null): void {
  if (generation === '2') return
  if (generation === null) {
    throw badParameter('missing_generation_parameter', 'generation', 'The generation query parameter is required.')
  }
  throw badParameter(
    'invalid_generation_parameter',
    'generation',
    'The generation query parameter is invalid.',
    generation,
  )
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
