import { createHash } from 'node:crypto'
import type { Account } from '../account.ts'
import { action, type Action } from '../http/action.ts'
import type { Parameters } from '../http/decode.ts'
import { invalidValue } from '../http/errors.ts'
import { writeReservation } from '../instances/instance-xml.ts'
import type { Reservation } from '../instances/instances.ts'
import { runInstancesFields, type RunInstancesValues } from './parameters.ts'
import { plan } from './plan.ts'

/** What may differ between two calls with the same token. */
const notCompared = new Set(['Action', 'Version', 'ClientToken', 'DryRun', 'Placement.AvailabilityZone'])

function run(values: RunInstancesValues, account: Account, parameters: Parameters): Reservation {
  const { instances, lifecycle, buckets, clock } = account
  const token = values.ClientToken ?? ''
  checkToken(token)
  const fingerprint = fingerprintOf(parameters)
  const before = token === '' ? undefined : instances.launchedBefore(token, fingerprint, clock.now())
  if (before) return before
  const planned = plan(values, account)
  const count = instances.countOf(planned)
  buckets.takeInstances('RunInstances', count)
  const launched = instances.launch(planned, count, { fingerprint, now: clock.now() })
  for (const instance of launched.instances) lifecycle.boot(instance)
  return launched
}

function checkToken(token: string): void {
  if (/^[\x20-\x7e]{0,64}$/.test(token)) return
  throw invalidValue(`Value (${token}) for parameter clientToken is invalid. It must be at most 64 ASCII characters.`)
}

function fingerprintOf(parameters: Parameters): string {
  const compared = Object.entries(parameters)
    .filter(([name]) => !notCompared.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(compared)).digest('hex')
}

export const runInstances: Action = action({
  name: 'RunInstances',
  fields: runInstancesFields,
  check: (values, account) => void plan(values, account),
  perform(values, account, parameters) {
    const { id, instances } = run(values, account, parameters)
    const shown = instances.map((one) => account.instances.shown(one))
    return writeReservation(id, shown, account.world)
  },
})
