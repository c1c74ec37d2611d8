import type { Ctx } from '../../../api/ctx.ts'
import type { LaunchPlan } from '../../cloud.ts'
import { subnetsFor } from './placement.ts'
import { securityGroupsFor } from './groups.ts'
import { imageFor } from './images.ts'
import type { Looking } from '../lookups/lookups.ts'
import { marketOf } from './market.ts'
import { cpuOptionsOf, metadataOptionsOf, placementOf, primaryIPv6Of, privateDnsNameOf } from './options.ts'
import type { AwsRequest, RunAs } from './request.ts'
import { disksFor } from './disks.ts'
import { readWanted, type AwsWish } from './wanted.ts'

/**
 * The request of one machine, from its specs and from lookups. The same specs and answers give the same request. An
 * answer may change between two tries of one attempt (a newer image, another tag). If the first try was carried out
 * after all, EC2 answers the second with IdempotentParameterMismatch. That proves the instance, and it is adopted as it
 * is. So no answer has to be kept with the attempt.
 */
export async function plan(wish: AwsWish, lookups: Looking, ctx: Ctx): Promise<LaunchPlan> {
  const wanted = readWanted(wish)
  const { spec, cluster } = wanted
  const market = marketOf(spec)
  const [[subnet, ...others], image, Groups] = await Promise.all([
    subnetsFor(wanted, lookups, ctx),
    imageFor(wanted, lookups, ctx),
    securityGroupsFor(wanted, lookups, ctx),
  ])
  const run: RunAs = {
    ImageId: image.id,
    InstanceType: spec.instanceType as NonNullable<RunAs['InstanceType']>,
    KeyName: (spec.sshKeyName ?? cluster.sshKeyName) || undefined,
    IamInstanceProfile: spec.iamInstanceProfile ? { Name: spec.iamInstanceProfile } : undefined,
    NetworkInterfaces: [
      {
        DeviceIndex: 0,
        SubnetId: subnet.id,
        DeleteOnTermination: true,
        Groups: Groups.length > 0 ? Groups : undefined,
        AssociatePublicIpAddress: spec.publicIP,
        InterfaceType: spec.networkInterfaceType,
        ...primaryIPv6Of(spec),
      },
    ],
    BlockDeviceMappings: disksFor(spec, image),
    InstanceMarketOptions: market.options,
    CapacityReservationSpecification: market.reservation,
    MetadataOptions: metadataOptionsOf(spec),
    Placement: placementOf(spec),
    CpuOptions: cpuOptionsOf(spec),
    PrivateDnsNameOptions: privateDnsNameOf(spec),
  }
  const request: AwsRequest = {
    run,
    additionalTags: { ...cluster.additionalTags, ...spec.additionalTags },
    compressUserData: spec.uncompressedUserData === false,
  }
  return {
    request,
    offering: { capacityType: market.capacityType, instanceType: spec.instanceType, zone: subnet.zone },
    subnet: subnet.id,
    otherSubnets: others.length,
  }
}
