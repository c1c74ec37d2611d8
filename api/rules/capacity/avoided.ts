import type { CloudName } from '../../scope.ts'

/** How long an offering that took an instance back is not the first choice. */
const avoidedMs: Readonly<Record<CloudName, number>> = {
  aws: 5 * 60_000,
  azure: 5 * 60_000,
  gcp: 5 * 60_000,
  ibm: 60 * 60_000,
}

/** 0: it has taken nothing back. */
export function avoidedUntil(cloud: CloudName, takenBackAt: number | undefined): number {
  return takenBackAt === undefined ? 0 : takenBackAt + avoidedMs[cloud]
}
