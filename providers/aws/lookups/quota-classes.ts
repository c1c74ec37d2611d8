import type { Offering } from '../../../api/offering.ts'
import type { QuotaClass } from '../../../api/rules/capacity/what-closes.ts'
import { inTable } from '../../errors.ts'

/**
 * The quotas of EC2 for running instances, by the letters with which a type begins. Each is in processors, and there is
 * one for spot and one for on demand. Letters that are not here are a class of their own: then a refusal holds back too
 * little and costs a call, and never too much.
 */
const classes: Readonly<Record<string, string>> = {
  ...inClass('standard', ['a', 'c', 'd', 'h', 'i', 'im', 'is', 'm', 'r', 't', 'z']),
  ...inClass('g', ['g', 'gr', 'vt']),
  ...inClass('f', ['f']),
  ...inClass('p', ['p']),
  ...inClass('x', ['x']),
  ...inClass('dl', ['dl']),
  ...inClass('inf', ['inf']),
  ...inClass('trn', ['trn']),
  ...inClass('hpc', ['hpc']),
  ...inClass('high-memory', ['u']),
}

/** From p5 on each generation of P has a spot quota of its own. On demand they share one. */
const firstOwnP = 5

export function quotaClassOf({ capacityType, instanceType }: Offering): QuotaClass {
  const [family = '', word = ''] = instanceType.split('.')
  const [, letters = '', generation = ''] = /^([a-z]+)(\d*)/.exec(family) ?? []
  const size = processorsOf(family, word)
  const name = inTable(classes, letters) ?? (letters || instanceType)
  const isOwnP = name === 'p' && capacityType === 'Spot' && Number(generation) >= firstOwnP
  return { name: isOwnP ? `p${generation}` : name, size }
}

/** About how many processors the size has. It is enough that larger sizes of a class have more. */
function processorsOf(family: string, word: string): number {
  const times = /^(\d*)xlarge$/.exec(word)?.[1] ?? /^metal-(\d+)xl$/.exec(word)?.[1]
  if (times !== undefined) return 4 * Number(times || 1)
  const small = inTable(smallSizes, word)
  if (small === undefined) return unreadSize
  return /^t[3-9]/.test(family) ? 2 : small
}

/** Of burstable types all of these have two processors, except in the oldest family. */
const smallSizes: Readonly<Record<string, number>> = { nano: 1, micro: 1, small: 1, medium: 1, large: 2 }

/** More than any type has: the refusal of a `metal` says nothing about smaller sizes, and theirs holds it back. */
const unreadSize = 10_000

function inClass(name: string, letters: readonly string[]): Record<string, string> {
  return Object.fromEntries(letters.map((one) => [one, name]))
}
