import type { MachineDeps } from './pass.ts'

/** Nobody will ask for it any more, nor about it; another machine of its name begins anew. */
export function forget(
  key: string,
  { backoff, pendingCreates, leaveFleet }: Pick<MachineDeps, 'backoff' | 'pendingCreates' | 'leaveFleet'>,
): void {
  backoff.forget(key)
  pendingCreates.forget(key)
  leaveFleet(key)
}
