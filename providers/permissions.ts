/** What the manager must be allowed in one cloud: the source of docs/permissions.md. */
export interface Permissions<Call extends string = string> {
  /** Every call that the manager makes, with what it needs. */
  readonly calls: Readonly<Record<Call, readonly string[]>>
  /** What a launch needs besides, by the field or the case that asks for it. */
  readonly besides: readonly { readonly when: string; readonly needs: readonly string[] }[]
}

/** All that is needed without any of the special cases, once each. */
export function leastOf({ calls }: Permissions): string[] {
  return [...new Set(Object.values(calls).flat())].toSorted()
}
