/** The answer of a SelfSubjectRulesReview: the fields that we read. Any of them may be missing. */
export interface RulesStatus {
  readonly resourceRules?: readonly (ResourceRule | null)[] | null
  readonly nonResourceRules?: readonly (PathRule | null)[] | null
}

interface ResourceRule {
  readonly verbs?: readonly string[] | null
  readonly apiGroups?: readonly string[] | null
  readonly resources?: readonly string[] | null
  readonly resourceNames?: readonly string[] | null
}

interface PathRule {
  readonly verbs?: readonly string[] | null
  readonly nonResourceURLs?: readonly string[] | null
}

/** One verb on one resource, or on a path. */
export interface Act {
  readonly verb: string
  readonly group?: string
  /** With the subresource: `pods/eviction`. */
  readonly resource?: string
  readonly path?: string
}

/** Whether a rule grants it literally. Of patterns only `*` counts. */
export function isGranted(act: Act, { resourceRules, nonResourceRules }: RulesStatus): boolean {
  if (act.path !== undefined) {
    return listOf(nonResourceRules).some(
      (rule) => names(rule?.verbs, act.verb) && names(rule?.nonResourceURLs, act.path ?? ''),
    )
  }
  return listOf(resourceRules).some(
    (rule) =>
      names(rule?.verbs, act.verb) &&
      names(rule?.apiGroups, act.group ?? '') &&
      names(rule?.resources, act.resource ?? '') &&
      listOf(rule?.resourceNames).length === 0,
  )
}

function names(given: readonly string[] | null | undefined, wanted: string): boolean {
  const all = listOf(given)
  return all.includes('*') || all.includes(wanted)
}

function listOf<T>(given: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(given) ? (given as readonly T[]) : []
}
