import { createHash } from 'node:crypto'

/**
 * Rendezvous hashing: every machine has its own order of the zones. Together the machines spread evenly, a retry comes
 * to the same zone, and a zone that is added or removed moves no machine but its own.
 */
export function zonesInOrder(machine: string, zones: readonly string[]): string[] {
  const ranks = new Map(zones.map((zone) => [zone, createHash('sha256').update(`${machine} ${zone}`).digest('hex')]))
  const rank = (zone: string) => ranks.get(zone) ?? ''
  return zones.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}
