import { CloudError } from '../../api/cloud-error.ts'

/**
 * The place of an attempt that asks again is fixed, whatever the specs say by now: elsewhere a cloud may take it for
 * another request, and make a second instance. "None left" and "no longer fits" then only mean that there are no
 * alternatives: answers [], rethrows all else.
 */
export function noOthers(thrown: unknown): [] {
  if (thrown instanceof CloudError && (thrown.kind === 'subnet' || thrown.kind === 'invalid')) return []
  throw thrown
}
