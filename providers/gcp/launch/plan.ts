import type { Ctx } from '../../../api/ctx.ts'
import type { LaunchPlan } from '../../cloud.ts'
import { refuseUnfitOwner } from '../../shared/instance-name.ts'
import { zoneFor } from './placement.ts'
import { disksOf } from './disks.ts'
import { imageFor } from './images.ts'
import type { Looking } from '../lookups/lookups.ts'
import { marketOf, mayMigrate } from './market.ts'
import { attachmentOf } from './network.ts'
import { acceleratorsOf, optionsOf } from './options.ts'
import type { GcpRequest } from './request.ts'
import { readWanted, type GcpWish } from './wanted.ts'

/** The request of one machine. The same specs and answers give the same request. */
export async function plan(wish: GcpWish, lookups: Looking, ctx: Ctx): Promise<LaunchPlan> {
  const wanted = readWanted(wish)
  refuseUnfitOwner(wanted.owner, wanted.machine)
  const { spec, cluster } = wanted
  const { networkInterface, subnet, otherSubnets } = await attachmentOf(wanted)
  const disks = disksOf(spec, imageFor(wanted))
  const zone = await zoneFor(wanted, lookups, ctx)
  const stays = mayMigrate(spec) && (await lookups.staysOnItsHost(spec.instanceType, wanted.scope, ctx))
  const { capacityType, scheduling, reservationAffinity } = marketOf(spec, stays)
  const request: GcpRequest = {
    zone,
    run: {
      machineType: spec.instanceType,
      disks,
      accelerators: acceleratorsOf(spec),
      networkInterface,
      scheduling,
      reservationAffinity,
      options: optionsOf(spec),
    },
    additionalLabels: { ...cluster.additionalLabels, ...spec.additionalLabels },
    additionalMetadata: spec.additionalMetadata ?? [],
    additionalNetworkTags: spec.additionalNetworkTags ?? [],
  }
  return {
    request,
    offering: { capacityType, instanceType: spec.instanceType, zone },
    subnet,
    otherSubnets,
  }
}
