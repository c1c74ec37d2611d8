import type { Outcome } from './campaign.ts'

const heads = [
  'cloud',
  'seed',
  'kills',
  'notices',
  'instances',
  'duplicates',
  'leaks',
  'foreign touches',
  'wrong ends',
  'worst recovery',
]

/**
 * A good run: no second instance, none left over, no stranger touched, each announced Machine replaced once, and every
 * kill happened.
 */
export function isClean({ duplicates, leaks, touched, wrongEnds, missed }: Outcome): boolean {
  return duplicates.length + leaks.length + touched.length + wrongEnds.length + missed.length === 0
}

/** One line for each run, in columns. Below are the names of everything wrong. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const rows = [heads, ...outcomes.map(rowOf)]
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [...lines, ...outcomes.flatMap(offences)].join('\n')
}

function rowOf(outcome: Outcome): string[] {
  const { cloud, seed, kills, notices, bought, worstRecoveryMs } = outcome
  const wrong = [outcome.duplicates, outcome.leaks, outcome.touched, outcome.wrongEnds].map(({ length }) => length)
  const counts = [seed, kills, notices, bought, ...wrong].map(String)
  return [cloud, ...counts, `${(worstRecoveryMs / 1000).toFixed(1)} s`]
}

function offences({ cloud, seed, duplicates, leaks, touched, wrongEnds, missed }: Outcome): string[] {
  const named = (what: string, names: readonly string[]) =>
    names.map((name) => `${cloud}, seed ${seed}: ${what} ${name}`)
  return [
    ...named('twice', duplicates),
    ...named('left over', leaks),
    ...named('touched', touched),
    ...named('wrong end,', wrongEnds),
    ...named('the manager did not come to, or had ended by itself before,', missed),
  ]
}
