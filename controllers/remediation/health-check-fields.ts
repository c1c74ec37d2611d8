import { isDeepStrictEqual } from 'node:util'
import { machineLabels, remediationDue } from '../../api/labels.ts'
import type { MachineHealthCheck } from '../../api/machine.ts'
import { dueValues } from '../../api/rules/markers.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Our fields of the health check. All Machines that it selects are unhealthy, so any limit on their number would stop
 * it. The absence of a limit is explicit, before something fills in another.
 */
export const ownFields = {
  selector: { matchLabels: { [machineLabels.remediationDue]: dueValues.managed } },
  checks: {
    nodeStartupTimeoutSeconds: 0,
    unhealthyMachineConditions: [{ type: remediationDue, status: 'True', timeoutSeconds: 0 }],
  },
  remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '100%' } },
} as const

/**
 * Fields that must be absent. They would change which Machines the health check finds, when it stops, or what removes
 * the Machine.
 */
const absent = {
  selector: { matchExpressions: null },
  remediation: { triggerIf: { unhealthyInRange: null }, templateRef: null },
}

/**
 * A merge patch of our own fields that differ; undefined without a difference. Other fields, such as defaults of a
 * newer core, are not ours.
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

/** Whether each of our entries is there, whatever else is. */
function covers(found: unknown, wanted: unknown): boolean {
  if (!Array.isArray(wanted)) return isDeepStrictEqual(found, wanted)
  if (!Array.isArray(found)) return false
  return wanted.every((entry: Fields) => found.some((one) => differing(one, entry) === undefined))
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
