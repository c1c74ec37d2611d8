import { isDeepStrictEqual } from 'node:util'
import { machineLabels, remediationDue } from '../../api/labels.ts'
import type { MachineHealthCheck } from '../../api/machine.ts'
import { dueValues } from '../../api/rules/markers.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * What we say in the health check that we keep. All of the Machines that it selects are unhealthy, so any bound on how
 * many may be would stop it: that there is none is said, too, before somebody fills in another.
 */
export const ownFields = {
  selector: { matchLabels: { [machineLabels.remediationDue]: dueValues.managed } },
  checks: {
    nodeStartupTimeoutSeconds: 0,
    unhealthyMachineConditions: [{ type: remediationDue, status: 'True', timeoutSeconds: 0 }],
  },
  remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '100%' } },
} as const

/** What must not be there: it would change whom the health check finds, when it stops, or who removes the Machine. */
const absent = {
  selector: { matchExpressions: null },
  remediation: { triggerIf: { unhealthyInRange: null }, templateRef: null },
}

/**
 * A merge patch of those of our own fields that are otherwise; undefined where none is. Whatever else stands there,
 * such as what a newer core fills in, is not ours.
 */
export function mendingOf({ spec }: MachineHealthCheck): object | undefined {
  const others = Object.keys(spec.selector.matchLabels ?? {}).filter((key) => key !== machineLabels.remediationDue)
  const narrowing = { selector: { matchLabels: Object.fromEntries(others.map((key) => [key, null])) } }
  const wanted = [ownFields, absent, narrowing].reduce<Fields>(merged, {})
  return differing(spec, wanted)
}

function merged(a: Fields, b: Fields): Fields {
  const both = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const known = both[key]
    both[key] = isFields(known) && isFields(value) ? merged(known, value) : value
  }
  return both
}

function differing(found: unknown, wanted: Fields): object | undefined {
  const has = isFields(found) ? found : {}
  const changes = Object.entries(wanted).flatMap(([key, value]): [string, unknown][] => {
    if (value === null) return has[key] === undefined ? [] : [[key, null]]
    if (!isFields(value)) return covers(has[key], value) ? [] : [[key, value]]
    const change = differing(has[key], value)
    return change ? [[key, change]] : []
  })
  return changes.length === 0 ? undefined : Object.fromEntries(changes)
}

/** Each of our entries stands there, whatever has been added to it or beside it. */
function covers(found: unknown, wanted: unknown): boolean {
  if (!Array.isArray(wanted)) return isDeepStrictEqual(found, wanted)
  if (!Array.isArray(found)) return false
  return wanted.every((entry: Fields) => found.some((one) => differing(one, entry) === undefined))
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
