import { seconds } from './steps.ts'

/** What follows a notice, in the words of the story. */
const stations = {
  deleted: 'Machine deleted',
  made: 'replacement made',
  runs: 'replacement Running',
  drained: 'Node drained',
  ended: 'instance ended',
} as const

export type Station = keyof typeof stations

/** The milliseconds from a notice to each station that was reached. */
export type Passed = ReadonlyMap<Station, number>

/** `noticeMs`: the time from the notice to the announced end. */
export function inWords(passed: Passed, noticeMs: number): string {
  const inOrder = [...passed].sort(([, one], [, other]) => one - other)
  const times = inOrder.map(([station, ms]) => `${stations[station]} ${seconds(ms)}`)
  const left = noticeMs - (passed.get('ended') ?? Infinity)
  const end = left > 0 ? `${seconds(left)} of the notice were left` : 'The announced end came first'
  return `After the notice: ${times.join(', ')}. ${end}.`
}

/** What is missing or wrong. Before the announced end, nothing but a drained Node ends the instance. */
export function faultIn(passed: Passed, noticeMs: number): string | undefined {
  const isCut = (passed.get('ended') ?? 0) >= noticeMs
  const needed = Object.entries(stations).filter(([station]) => !(isCut && station === 'drained'))
  const missing = needed.filter(([station]) => !passed.has(station as Station)).map(([, words]) => words)
  if (missing.length > 0) return `Not yet: ${missing.join(', ')}.`
  const [drained = Infinity, ended = 0] = [passed.get('drained'), passed.get('ended')]
  return isCut || drained <= ended ? undefined : `The instance ended ${seconds(drained - ended)} before the drain.`
}
