import type { Verdict } from './trial.ts'

interface Row {
  readonly cloud: string
  readonly objects: number
  readonly accepted: number
  readonly specs: number
  readonly specsAccepted: number
}

export interface Result {
  readonly rows: readonly Row[]
  readonly spot: readonly Verdict[]
}

/** What is measured against the law: of distinct specs, and of those that ask for spot. */
export const leastShare = 0.88

export function resultOf(verdicts: readonly Verdict[]): Result {
  const byCloud = Map.groupBy(verdicts, cloudOf)
  const rows = [...byCloud].map(([cloud, of]) => rowOf(cloud, of))
  return { rows: [...rows, rowOf('all', verdicts)], spot: distinct(verdicts).filter(isSpot) }
}

export function holds({ rows, spot }: Result): boolean {
  const all = rows.at(-1)
  if (!all || all.specs === 0) return false
  return all.specsAccepted / all.specs >= leastShare && spot.every(({ refusal }) => refusal === undefined)
}

export function tableOf({ rows, spot }: Result, verdicts: readonly Verdict[]): string {
  const lines = rows.map(
    ({ cloud, objects, accepted, specs, specsAccepted }) =>
      `${cloud.padEnd(8)}${accepted} of ${objects} objects, ${specsAccepted} of ${specs} distinct specs (${Math.floor((100 * specsAccepted) / specs)} %)`,
  )
  const spotAccepted = spot.filter(({ refusal }) => refusal === undefined).length
  const refused = distinct(verdicts).filter(({ refusal }) => refusal !== undefined)
  return [
    ...lines,
    `spot    ${spotAccepted} of ${spot.length} distinct specs`,
    ...refused.map(({ file, object, refusal }) => `\n${object.kind} ${object.metadata.name} in ${file}:\n  ${refusal}`),
  ].join('\n')
}

function rowOf(cloud: string, verdicts: readonly Verdict[]): Row {
  const accepted = (of: readonly Verdict[]) => of.filter(({ refusal }) => refusal === undefined).length
  const specs = distinct(verdicts)
  return {
    cloud,
    objects: verdicts.length,
    accepted: accepted(verdicts),
    specs: specs.length,
    specsAccepted: accepted(specs),
  }
}

function cloudOf({ object }: Verdict): string {
  return object.kind.replace(/Machine(Template)?$/, '')
}

/** One for each spec of a machine; a machine and a template of it are one. */
function distinct(verdicts: readonly Verdict[]): Verdict[] {
  return [...new Map(verdicts.map((verdict) => [`${cloudOf(verdict)} ${sorted(specOf(verdict))}`, verdict])).values()]
}

function specOf({ object }: Verdict): unknown {
  const spec = object.spec as { template?: { spec?: unknown } }
  return object.kind.endsWith('Template') ? spec.template?.spec : spec
}

function isSpot(verdict: Verdict): boolean {
  const spec = specOf(verdict) as Record<string, unknown>
  return Boolean(
    spec['spotMarketOptions'] ?? spec['spotVMOptions'] ?? (spec['provisioningModel'] === 'Spot' || spec['preemptible']),
  )
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => a.localeCompare(b)))
      : one,
  )
}
