import type { LabCloud, LabInstance } from '../../lab/clouds/cloud.ts'

const reads = /^(Describe|GetCallerIdentity)|_(Get|List)|\.(get|list|aggregatedList)$|^(get|list)_|token|^Authority_/i

/** Whether it changes something. */
export function isChange({ action }: { readonly action: string }): boolean {
  return !reads.test(action)
}

/** The changing calls after the one with this number, each with all ids that it names. */
export function changesIn({ control }: LabCloud, since = 0): string[] {
  const calls = control.requests().filter(({ number, action }) => number > since && isChange({ action }))
  return calls.map(({ action, params }) => `${action} ${JSON.stringify(params)}`)
}

/** Those of them that name one of these. */
export function changesTo(these: readonly Pick<LabInstance, 'id' | 'name'>[], cloud: LabCloud, since = 0): string[] {
  const names = these.flatMap(({ id, name }) => [id, name])
  return changesIn(cloud, since).filter((change) => names.some((name) => change.includes(name)))
}

/** The number of the last call so far. */
export function lastCall({ control }: LabCloud): number {
  return control.requests().at(-1)?.number ?? 0
}
