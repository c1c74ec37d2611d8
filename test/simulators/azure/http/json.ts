import type { Resource } from '../instances/resources.ts'

/** As Azure writes a moment. */
export function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '0000+00:00')
}

/** Changes with every change of the resource's tags or of what it belongs to. */
export function etagOf({ number, tags }: Readonly<Resource>): string {
  let sum = number
  for (const sign of JSON.stringify(tags)) sum = (Math.imul(sum, 31) + (sign.codePointAt(0) ?? 0)) | 0
  return `"${(sum >>> 0).toString(16).padStart(8, '0')}"`
}
