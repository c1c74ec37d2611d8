/** The permissions that the manager needs in one cloud: the source of docs/permissions.md. */
export interface Permissions<Call extends string = string> {
  /** Each call of the manager, with the permissions for it. */
  readonly calls: Readonly<Record<Call, readonly string[]>>
  /** Permissions that some launches need besides, by the field or case that asks for them. */
  readonly besides: readonly { readonly when: string; readonly needs: readonly string[] }[]
}

/** All permissions without the special cases, once each. */
export function leastOf({ calls }: Permissions): string[] {
  return [...new Set(Object.values(calls).flat())].toSorted()
}
