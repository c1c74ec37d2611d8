import { eventually } from '../../lab/eventually.ts'

/** `eventually` with time for tests of four clouds at once, with four times the work for core. */
export function patiently<T>(what: string, check: () => T | Promise<T>): Promise<T> {
  return eventually(what, check, { timeoutMs: 180_000 })
}
