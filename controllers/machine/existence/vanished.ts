import { readAttempt, type Attempt } from '../../../api/attempt.ts'
import type { Ctx } from '../../../api/ctx.ts'
import type { InfraMachine } from '../../../api/machine.ts'
import { hasEnded } from '../../../api/rules/outcome.ts'
import { unprovenAbsence, heldForMs, type VanishedFacts } from '../../../api/rules/vanished.ts'
import { absenceUnproven } from '../../../providers/shared/account.ts'
import type { CloudError } from '../../../api/cloud-error.ts'
import type { Fleet } from '../../../providers/fleet/fleet.ts'
import type { InstanceRef } from '../../../providers/instances.ts'
import type { Pass } from '../pass.ts'
import { hasBeenObserved, isConfirmedGone } from './existence.ts'

/**
 * An error if the last list lacks this instance, but too many others at once: then the list proves nothing. The number
 * of instances that should be there comes from the machines. A new process has no earlier list, and new credentials
 * mostly come with a new process.
 */
export function unprovenAbsenceOf(
  pass: Pass,
  { which: { id, zone, needsNoProof }, fleet }: { which: InstanceRef; fleet: Fleet },
  ctx: Ctx,
): CloudError | undefined {
  const { infra, cloud } = pass
  if (id === undefined || needsNoProof || cloud.vanishesWhenTaken(infra.spec)) return undefined
  if (!fleet.lacks({ id, zone })) return undefined
  const why = unprovenAbsence({ ...countsOf(pass, fleet, ctx), missingForMs: fleet.waitedFor(id, ctx) })
  return why === undefined ? undefined : absenceUnproven(why)
}

type Counts = Pick<VanishedFacts, 'known' | 'missing'>

/** If many are missing, each of their machines counts all machines. So the count is kept for a moment. */
const counted = new WeakMap<Fleet, Counts & { readonly at: number; readonly listed: number }>()
const countedForMs = 1_000

/**
 * An instance that has been missing for long is not counted, because its end is certain. A machine of a paused cluster
 * says for ever that its instance is alive, and would hold up all others of the account.
 */
function countsOf({ deps, cloud }: Pass, fleet: Fleet, ctx: Ctx): Counts {
  const at = ctx.clock.monotonic()
  const before = counted.get(fleet)
  // Of this list: in the next one all of them may be missing.
  const listed = fleet.listedAt
  if (before?.listed === listed && at - before.at < countedForMs) return before
  const alive = deps.infraMachines.list().flatMap((machine) => {
    const handle =
      isKnownAlive(machine) && !cloud.vanishesWhenTaken(machine.spec) ? handleOf(machine, fleet) : undefined
    return handle === undefined || !hasBeenObserved(machine, handle.id)
      ? []
      : [{ id: handle.id, zone: handle.zone || machine.status?.failureDomain }]
  })
  const waits = alive.filter((one) => fleet.lacks(one)).map(({ id }) => fleet.waitedFor(id, ctx))
  const missing = waits.filter((ms) => ms < heldForMs).length
  const now = { known: alive.length - (waits.length - missing), missing, at, listed }
  counted.set(fleet, now)
  return now
}

function isKnownAlive(infra: InfraMachine): boolean {
  return !infra.metadata.deletionTimestamp && !hasEnded(infra) && !isConfirmedGone(infra)
}

/** Of an instance that this fleet should show. */
function handleOf(machine: InfraMachine, { scope }: Fleet): { id: string; zone: string | undefined } | undefined {
  const reading = readAttempt(machine)
  if (reading.is !== 'ours' || reading.attempt.handle === undefined) return undefined
  const { handle, at, refused } = reading.attempt
  return !refused && isIn(reading.attempt, scope) ? { id: handle, zone: at?.zone } : undefined
}

function isIn({ scope: { region, account } }: Attempt, scope: Fleet['scope']): boolean {
  return region === scope.region && (account === undefined || account === scope.account)
}
