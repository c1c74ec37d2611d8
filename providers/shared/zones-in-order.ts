import { createHash } from 'node:crypto'

/**
 * Rendezvous hashing: every machine ranks every zone by itself. Together they spread evenly, a retry comes to the same
 * zone, and a zone that is added or taken away moves no machine but those that go to it.
 */
export function zonesInOrder(machine: string, zones: readonly string[]): string[] {
  const ranks = new Map(zones.map((zone) => [zone, createHash('sha256').update(`${machine} ${zone}`).digest('hex')]))
  const rank = (zone: string) => ranks.get(zone) ?? ''
  return zones.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}
