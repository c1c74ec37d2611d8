import { action, type Action } from '../http/action.ts'
import type { Account } from '../account.ts'
import { Ec2Error } from '../http/errors.ts'
import { boolean, list, required, text } from '../../kit/http/schema.ts'
import type { Filterable } from '../http/filters.ts'
import { findAll, ids } from '../ids.ts'
import { writeReservations, writeState } from '../instances/instance-xml.ts'
import {
  privateDnsName,
  publicDnsName,
  stateCodes,
  type Instance,
  type InstanceVersion,
  type NetworkInterface,
} from '../instances/instance.ts'
import { reasons } from '../instances/lifecycle.ts'
import { describe } from '../http/listing.ts'
import { xmlTime } from '../http/xml.ts'

/** A terminated instance is in no network: filters by network do not find it, as in EC2. */
function attached({ state, interfaces }: InstanceVersion): readonly NetworkInterface[] {
  return state === 'terminated' ? [] : interfaces
}

const filters: Filterable<InstanceVersion>['filters'] = {
  architecture: ({ plan }) => [plan.image.architecture],
  'availability-zone': ({ plan }) => [plan.subnet.zone.name],
  'availability-zone-id': ({ plan }) => [plan.subnet.zone.id],
  'client-token': ({ plan }) => [plan.clientToken],
  'dns-name': (instance, { region }) =>
    attached(instance).map(({ publicAddress }) => publicAddress && publicDnsName(publicAddress, region)),
  'iam-instance-profile.arn': ({ plan }) => [plan.profile?.arn],
  'iam-instance-profile.name': ({ plan }) => [plan.profile?.name],
  'image-id': ({ plan }) => [plan.image.id],
  'instance-id': ({ id }) => [id],
  'instance-lifecycle': ({ plan }) => [plan.market === 'on-demand' ? undefined : plan.market],
  'instance-state-code': ({ state }) => [String(stateCodes[state])],
  'instance-state-name': ({ state }) => [state],
  'instance-type': ({ plan }) => [plan.type.name],
  'instance.group-id': (instance) => attached(instance).flatMap(({ groups }) => groups.map(({ id }) => id)),
  'instance.group-name': (instance) => attached(instance).flatMap(({ groups }) => groups.map(({ name }) => name)),
  'ip-address': (instance) => attached(instance).map(({ publicAddress }) => publicAddress),
  'key-name': ({ plan }) => [plan.key?.name],
  'launch-index': ({ index }) => [String(index)],
  'launch-time': ({ launchedAt }) => [xmlTime(launchedAt)],
  'metadata-options.http-tokens': ({ plan }) => [plan.metadata.tokens],
  'network-interface.network-interface-id': (instance) => attached(instance).map(({ id }) => id),
  'network-interface.private-ip-address': (instance) => attached(instance).map(({ privateAddress }) => privateAddress),
  'network-interface.subnet-id': (instance) => attached(instance).map(({ subnet }) => subnet.id),
  'network-interface.vpc-id': (instance) => attached(instance).map(({ subnet }) => subnet.vpc),
  'owner-id': (_, { accountId }) => [accountId],
  'placement-group-name': ({ plan }) => [plan.placement.group?.name],
  'placement-partition-number': ({ plan }) => [plan.placement.partition?.toString()],
  'capacity-reservation-id': ({ plan }) => [plan.reservation?.id],
  'private-dns-name': (instance, { region }) => attached(instance).map(() => privateDnsName(instance, region)),
  'private-ip-address': (instance) => attached(instance).map(({ privateAddress }) => privateAddress),
  'reservation-id': ({ reservationId }) => [reservationId],
  'root-device-name': ({ plan }) => [plan.image.rootDevice],
  'spot-instance-request-id': ({ spot }) => [spot?.id],
  'state-reason-code': ({ reason }) => [reason?.code],
  'subnet-id': (instance) => attached(instance).map(({ subnet }) => subnet.id),
  'tag-value': ({ tags }) => tags.map(({ value }) => value),
  tenancy: ({ plan }) => [plan.settings.tenancy],
  'vpc-id': (instance) => attached(instance).map(({ subnet }) => subnet.vpc),
}

const describeInstances = describe<InstanceVersion>({
  name: 'DescribeInstances',
  set: 'reservationSet',
  items: ({ sight }) => sight.look(),
  filters,
  tagsOf: ({ tags }) => tags,
  by: [{ parameter: 'InstanceId', called: 'instancesSet', of: ({ id }) => id, kind: ids.instance }],
  page: { min: 5, max: 1000 },
  place: ({ number }) => number,
  also: { IncludeManagedResources: boolean },
  write: (page, { world }) => writeReservations(page, world),
})

/** All or none: one id that is wrong, unknown or protected, and no instance ends. */
function toTerminate(wanted: readonly string[], { sight }: Account): readonly Instance[] {
  const known = wanted.flatMap((id) => sight.find(id) ?? [])
  const found = findAll(ids.instance, wanted, known, ({ id }) => id)
  const kept = found.find(({ plan, state }) => plan.settings.isProtected && state !== 'terminated')
  if (!kept) return found
  throw new Ec2Error(
    'OperationNotPermitted',
    `The instance '${kept.id}' may not be terminated. Modify its 'disableApiTermination' instance attribute and try again.`,
  )
}

const terminateInstances = action({
  name: 'TerminateInstances',
  fields: { InstanceId: required(list(text)), Force: boolean, SkipOsShutdown: boolean },
  check: ({ InstanceId }, account) => void toTerminate(InstanceId, account),
  perform({ InstanceId }, account) {
    const { buckets, lifecycle } = account
    const wanted = toTerminate(InstanceId, account)
    buckets.takeInstances('TerminateInstances', wanted.length)
    const changes = wanted.map((instance) => {
      const before = instance.state
      if (before !== 'shutting-down' && before !== 'terminated') lifecycle.terminate(instance, reasons.user)
      return { instanceId: instance.id, currentState: writeState(instance.state), previousState: writeState(before) }
    })
    return { instancesSet: changes }
  },
})

export const instanceActions: readonly Action[] = [describeInstances, terminateInstances]
