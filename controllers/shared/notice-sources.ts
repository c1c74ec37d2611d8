import type { SourceState } from '../../api/rules/interruption/notice-sources.ts'
import type { Scope } from '../../api/scope.ts'

export interface SourcesOf {
  /** `namespace/name` of the Cluster. */
  readonly cluster: string
  readonly scope: Scope
}

/** The sources of notices that apply there, and whether they work. */
export type NoticeSources = (of: SourcesOf) => readonly SourceState[]

/** Those of all. */
export function joined(all: readonly NoticeSources[]): NoticeSources {
  return (of) => all.flatMap((sources) => sources(of))
}
