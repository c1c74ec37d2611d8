import type { Attempt } from '../../attempt.ts'
import { timeOf } from '../../conditions.ts'
import { chosenOf } from './chosen.ts'
import { afterTry, untried, type Walk } from './tried.ts'

type Walked = Pick<
  Attempt,
  'tried' | 'triedCount' | 'firstRefusedAt' | 'invalid' | 'refused' | 'choice' | 'at' | 'offering'
>

/** What a machine has tried before this attempt, and with it if it was refused. */
export function walkOf(attempt: Walked | undefined, now = 0): Walk {
  const { tried, triedCount, firstRefusedAt, invalid } = { ...untried, ...attempt }
  const walk = { tried, triedCount, invalid, ...(firstRefusedAt === undefined ? {} : { firstRefusedAt }) }
  const choice = attempt && chosenOf(attempt)
  if (!attempt?.refused || !choice) return walk
  const { kind, code, at } = attempt.refused
  // The credentials were refused, and not the offering.
  if (kind === 'denied') return walk
  return afterTry(walk, { offering: choice, rung: choice.rung, kind, code }, timeOf(at) ?? now)
}
