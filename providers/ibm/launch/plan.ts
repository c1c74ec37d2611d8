import type { Ctx } from '../../../api/ctx.ts'
import type { LaunchPlan } from '../../cloud.ts'
import { refuseUnfitOwner } from '../../shared/instance-name.ts'
import { imageFor } from './images.ts'
import { invalid } from '../../shared/invalid.ts'
import type { Looking } from '../lookups/lookups.ts'
import { marketOf } from './market.ts'
import { securityGroupsFor } from './groups.ts'
import { keysFor } from './ssh-key.ts'
import { bootVolumeOf } from './disks.ts'
import { metadataServiceOf, placementOf } from './options.ts'
import { instanceTypeFor } from '../lookups/instance-type.ts'
import type { IbmRequest, LaunchAs } from './request.ts'
import { subnetsFor } from './placement.ts'
import { readWanted, type IbmWish } from './wanted.ts'

/**
 * The request of one machine, from its specs and from lookups. The same specs and answers give the same request. An
 * answer may change between two tries of one attempt, for example for a newer image. If the first try was carried out
 * after all, it has the name, and its instance is adopted as it is.
 */
export async function plan(wish: IbmWish, lookups: Looking, ctx: Ctx): Promise<LaunchPlan> {
  const wanted = readWanted(wish)
  refuseUnfitOwner(wanted.owner, wanted.machine)
  const { spec, cluster } = wanted
  refuseTwoZones(wish.failureDomain, spec.zone)
  const profile = await instanceTypeFor(spec.profile, wanted.scope, lookups, ctx)
  const { capacityType, ...market } = marketOf(spec, profile)
  const [subnet, ...others] = await subnetsFor(wanted, profile, lookups, ctx)
  const [image, keys, groups] = await Promise.all([
    imageFor(wanted, { zone: subnet.zone, profile }, lookups, ctx),
    keysFor(wanted, lookups, ctx),
    securityGroupsFor(wanted, subnet.vpc, lookups, ctx),
  ])
  const launch: LaunchAs = {
    zone: { name: subnet.zone },
    profile: { name: profile.name },
    image: { id: image },
    ...(subnet.vpc === undefined ? {} : { vpc: { id: subnet.vpc } }),
    ...(cluster.resourceGroup === undefined ? {} : { resource_group: { id: cluster.resourceGroup } }),
    primary_network_interface: { subnet: { id: subnet.id }, ...(groups ? { security_groups: groups } : {}) },
    ...(keys ? { keys } : {}),
    ...market,
    boot_volume_attachment: bootVolumeOf(spec),
    ...placementOf(spec),
    ...metadataServiceOf(spec),
  }
  const request: IbmRequest = { launch }
  return {
    request,
    offering: { capacityType, instanceType: profile.name, zone: subnet.zone },
    subnet: subnet.id,
    otherSubnets: others.length,
  }
}

/**
 * In Cluster API Provider IBM Cloud the zone is a field of its own machine; in Cluster API it is a field of the
 * Machine.
 */
function refuseTwoZones(failureDomain: string | undefined, zone: string | undefined): void {
  if (failureDomain === undefined || zone === undefined || failureDomain === zone) return
  throw invalid(
    `spec.zone of the IBMMachine is ${zone}, but spec.failureDomain of the Machine is ${failureDomain}; remove one of ` +
      'the two.',
  )
}
