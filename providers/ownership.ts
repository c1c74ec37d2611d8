import type { Instance, Ownership } from './instances.ts'

/** Only what carries our owner id, our machine and our attempt may be adopted or ended. */
export function isOwnedBy(instance: Instance, { owner, machine, token }: Ownership): boolean {
  const has = instance.ownership
  return has !== undefined && has.owner === owner && has.machine === machine && has.token === token
}
