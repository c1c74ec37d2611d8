import { CloudError } from './errors.ts'

/**
 * An attempt that asks again asks in the same place, whatever the specs say by now: elsewhere a cloud may take it for
 * another request, and make a second instance. What the specs still allow besides is for the attempt after it. This stands
 * for that, as the answer to whoever looked for it and threw: nothing, where specs have become unfit or all else is full.
 */
export function noOthers(thrown: unknown): [] {
  if (thrown instanceof CloudError && (thrown.kind === 'subnet' || thrown.kind === 'invalid')) return []
  throw thrown
}
