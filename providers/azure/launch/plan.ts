import type { LaunchPlan } from '../../cloud.ts'
import { refuseUnfitOwner } from '../../shared/instance-name.ts'
import type { Candidates } from '../../shared/placement/candidates.ts'
import { dataDisksOf, osDiskOf } from './disks.ts'
import { imageOf } from './images.ts'
import { invalid } from '../../shared/invalid.ts'
import { marketOf } from './market.ts'
import { obstacleIn } from './placement.ts'
import { interfaceOf } from './network.ts'
import { diagnosticsOf, identityOf, securityOf } from './options.ts'
import { sshKeyOf } from './ssh-key.ts'
import type { Bought } from '../observe/ownership.ts'
import type { AzureRequest } from './request.ts'
import type { AzureWanted } from './wanted.ts'

/**
 * The request of one machine. The specs decide all of it but `isAccelerated`, where they leave that open: whether its
 * network interface is accelerated.
 */
export function plan(
  wanted: AzureWanted,
  [subnet, ...others]: Candidates<string>,
  isAccelerated?: boolean,
): LaunchPlan {
  const { spec, cluster, zone = '', zoneIs, version, owner, machine } = wanted
  refuseUnfitOwner(owner, machine)
  const obstacle = obstacleIn({ zone, zoneIs })
  if (obstacle !== undefined) throw invalid(obstacle)
  const market = marketOf(spec)
  const image = imageOf(spec, version)
  const bought: Bought = { capacityType: market.capacityType, instanceType: spec.vmSize, zone }
  const request: AzureRequest = {
    location: cluster.location,
    bought,
    additionalTags: { ...cluster.additionalTags, ...spec.additionalTags },
    interface: interfaceOf(wanted, subnet, isAccelerated),
    machine: {
      plan: image.plan,
      identity: identityOf(spec) as AzureRequest['machine']['identity'],
      image: image.reference,
      osDisk: osDiskOf(spec),
      dataDisks: dataDisksOf(spec),
      properties: { ...market.properties, ...securityOf(spec), ...diagnosticsOf(spec) },
    },
    sshKey: sshKeyOf(spec),
  }
  return { request, offering: bought, subnet, otherSubnets: others.length }
}
