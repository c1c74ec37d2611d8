import type { Page } from './page-server.ts'
import type { Objection } from './write-gate.ts'

/** A page for probes: 200 while no check objects, else 503. It has a line for each check, for people who use `curl`. */
export function checksPage(checks: Readonly<Record<string, Objection>>): Page {
  const results = Object.entries(checks).map(([name, check]) => ({ name, why: check() }))
  const lines = results.map(({ name, why }) => (why === undefined ? `[+] ${name}` : `[-] ${name}: ${why}`))
  const isWell = results.every(({ why }) => why === undefined)
  return { status: isWell ? 200 : 503, type: 'text/plain; charset=utf-8', body: `${lines.join('\n')}\n` }
}
