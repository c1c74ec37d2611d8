import type { MachineDeps } from './pass.ts'

/** Nobody will ask for it any more, nor about it; another machine of its name begins anew. */
export function forget(
  key: string,
  {
    backoff,
    pendingCreates,
    launches,
    leaveFleet,
  }: Pick<MachineDeps, 'backoff' | 'pendingCreates' | 'launches' | 'leaveFleet'>,
): void {
  backoff.forget(key)
  pendingCreates.forget(key)
  launches.end(key)
  leaveFleet(key)
}
