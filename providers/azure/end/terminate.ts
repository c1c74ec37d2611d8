import type { Ctx } from '../../../api/ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { TerminateResult, InstanceRef } from '../../instances.ts'
import type { OwnershipTag } from '../../../api/ownership.ts'
import { TtlCache } from '../../shared/ttl-cache.ts'
import type { Arm, ArmCall } from '../wire/client.ts'
import { shapes, type Disk } from '../wire/documents.ts'
import { isMissing } from '../wire/errors.ts'
import { everything } from '../wire/pages.ts'
import { lookAtInterface, lookAtMachine } from '../observe/find.ts'
import {
  carries,
  diskPath,
  disksPath,
  interfacePath,
  machineOfDisk,
  machineOfInterface,
  machinePath,
  placeIn,
  type Place,
} from '../wire/resource-ids.ts'
import { isAnothers, readMark } from '../observe/ownership.ts'
import { notOurs, tenantOf } from '../../shared/ownership.ts'
import type { InstanceHistory } from '../observe/history.ts'
import { toInstance } from '../observe/state.ts'

/** How long to wait for an interface that Azure keeps for a machine which came to nothing; it does so for 3 minutes. */
const heldMs = 30_000

/** Ends a machine, and what it left behind. */
export class Removal {
  readonly #arm: Arm
  readonly #sightings: InstanceHistory
  /** Nothing is kept: who asks while others do gets their answer. */
  readonly #disks = new TtlCache<readonly Disk[]>({ keepMs: () => 0 })

  constructor(arm: Arm, sightings: InstanceHistory) {
    this.#arm = arm
    this.#sightings = sightings
  }

  async run(which: InstanceRef, ctx: Ctx): Promise<TerminateResult> {
    const place = placeOf(which)
    if (!place) return 'gone'
    if (!carries(place.name, which.tag)) throw notOurs(`Virtual machine ${place.name}`)
    const machine = await lookAtMachine(this.#arm, place, ctx)
    if (machine) {
      if (isAnothers(machine.tags ?? {}, which.tag)) throw notOurs(`Virtual machine ${place.name}`)
      if (machine.properties?.provisioningState?.toLowerCase() === 'deleting') return 'going'
      const query = { forceDeletion: 'true' }
      const whose = tenantOf(which.tag)
      const call = {
        scope: place.scope,
        action: 'VirtualMachines_Delete',
        whose,
        path: machinePath(place),
        query,
      } as const
      await this.#delete(call, ctx)
      this.#sightings.ended(toInstance({ machine, subscription: place.scope.account ?? '' }))
      return 'going'
    }
    const ends = await Promise.all([
      this.#removeInterface(place, which.tag, ctx),
      this.#removeDisks(place, which.tag, ctx),
    ])
    return together(ends)
  }

  async #removeInterface(place: Place, tag: OwnershipTag, ctx: Ctx): Promise<TerminateResult> {
    const nic = await lookAtInterface(this.#arm, place, ctx)
    if (!nic) return 'gone'
    if (isAnothers(nic.tags ?? {}, tag)) throw notOurs(`Network interface ${nic.name}`)
    // By a machine that no look shows, or that is going and takes it along.
    if (nic.properties?.virtualMachine) return 'later'
    try {
      return await this.#delete(
        { scope: place.scope, action: 'NetworkInterfaces_Delete', path: interfacePath(place) },
        ctx,
      )
    } catch (thrown) {
      throw thrown instanceof CloudError && thrown.code === 'NicReservedForAnotherVm' ? held(thrown) : thrown
    }
  }

  /** How many there were stands nowhere any more, so they are looked for. */
  async #removeDisks(place: Place, tag: OwnershipTag, ctx: Ctx): Promise<TerminateResult> {
    const disks = (await this.#disksOf(place, ctx)).filter(
      ({ name, tags }) =>
        machineOfDisk(name.toLowerCase()) === place.name && !(readMark(tags) && isAnothers(tags, tag)),
    )
    const ends = await Promise.all(
      disks.map(async ({ name, managedBy }): Promise<TerminateResult> => {
        if (managedBy) return 'later'
        return this.#delete({ scope: place.scope, action: 'Disks_Delete', path: diskPath(place, name) }, ctx)
      }),
    )
    return together(ends)
  }

  async #disksOf({ scope, group }: Place, ctx: Ctx): Promise<readonly Disk[]> {
    const path = disksPath({ scope, group })
    const what = { scope, action: 'Disks_ListByResourceGroup', path, shape: shapes.disk } as const
    const ask = () => everything<Disk>(this.#arm, what, ctx)
    try {
      return await this.#disks.get(path.toLowerCase(), ask, ctx)
    } catch (thrown) {
      if (isMissing(thrown)) return []
      throw thrown
    }
  }

  async #delete(call: ArmCall, ctx: Ctx): Promise<TerminateResult> {
    try {
      const { status } = await this.#arm.call(call, ctx)
      return status === 204 ? 'gone' : 'going'
    } catch (thrown) {
      if (isMissing(thrown)) return 'gone'
      throw thrown
    }
  }
}

/**
 * Where it is, by its name and by its id, which must not contradict. Undefined: it never had a name, so it never was.
 */
export function placeOf({ scope, id, name }: Omit<InstanceRef, 'tag'>): Place | undefined {
  if (id === undefined) return name === undefined ? undefined : { scope, group: scope.within ?? '', name }
  const { group, name: own } = placeIn(id)
  const machine = machineOfInterface(own) ?? machineOfDisk(own) ?? own
  if (name !== undefined && name !== machine) throw notOurs(`Virtual machine ${machine}`)
  return { scope, group, name: machine }
}

function held({ code, message }: CloudError): CloudError {
  return new CloudError('transient', { code, message, retryAfterMs: heldMs })
}

/** What is still held by something proves that this is there. */
function together(ends: readonly TerminateResult[]): TerminateResult {
  if (ends.includes('later')) return 'later'
  return ends.includes('going') ? 'going' : 'gone'
}
