import type { MachineDeps } from './pass.ts'

/** Nobody will ask for it any more, nor about it; another machine of its name begins anew. */
export function forget(
  key: string,
  { pauses, doubts, leaveFleet }: Pick<MachineDeps, 'pauses' | 'doubts' | 'leaveFleet'>,
): void {
  pauses.forget(key)
  doubts.forget(key)
  leaveFleet(key)
}
