import type { Instance } from '../../api/instance.ts'
import type { Process } from './process.ts'

/** The real state of one instance, and its states before. */
export interface Truth {
  readonly id: string
  readonly isStranger: boolean
  readonly madeAt: number
  /** Before this time nothing shows it. */
  readonly visibleAt: number
  /** The time of the first complete list with it. */
  listedAt: number | undefined
  /** The processes that have seen it in a list. */
  readonly listedTo: Set<Process>
  /** In the order of their times; the last one is the present. */
  readonly states: { readonly at: number; readonly instance: Instance }[]
}

export function nowOf({ states }: Truth): Instance {
  const last = states.at(-1)
  if (!last) throw new Error('An instance has always been something')
  return last.instance
}

/** It exists and costs money: it starts, runs or is stopped. */
export function isAlive(truth: Truth): boolean {
  const { state } = nowOf(truth)
  return state === 'pending' || state === 'running' || state === 'stopping' || state === 'stopped'
}
