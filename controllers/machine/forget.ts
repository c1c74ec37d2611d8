import type { MachineDeps } from './pass.ts'

/** Nobody will ask for it any more, nor about it; another machine of its name begins anew. */
export function forget(key: string, { pauses, doubts }: Pick<MachineDeps, 'pauses' | 'doubts'>): void {
  pauses.forget(key)
  doubts.forget(key)
}
