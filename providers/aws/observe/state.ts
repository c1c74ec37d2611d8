import type { Instance as Ec2Instance, Reservation } from '@aws-sdk/client-ec2'
import { CloudError } from '../../../api/cloud-error.ts'
import { inTable } from '../../errors.ts'
import type { Address, Instance, InstanceState } from '../../../api/instance.ts'
import type { CapacityType } from '../../../api/offering.ts'
import { attemptPatterns } from './attempt-patterns.ts'
import { foreignAnswer } from '../../shared/foreign-answer.ts'
import { launchedAt } from '../../shared/instant.ts'
import { interruptions, launchFailures } from '../wire/errors.ts'
import { withFields } from '../wire/fields.ts'
import { readTag } from './ownership.ts'

const states: Readonly<Record<string, InstanceState>> = {
  pending: 'pending',
  running: 'running',
  stopping: 'stopping',
  stopped: 'stopped',
  'shutting-down': 'terminating',
  terminated: 'terminated',
}

const longestName = 255

/** The instances of a description. An answer without the element is no empty list: something else than EC2 answered. */
export function instancesIn({ Reservations }: { Reservations?: Reservation[] | undefined }): Instance[] {
  if (Reservations) return instancesOf(Reservations)
  throw foreignAnswer('transient', 'The answer to DescribeInstances does not come from EC2.')
}

export function instancesOf(reservations: readonly Pick<Reservation, 'Instances' | 'OwnerId'>[]): Instance[] {
  return reservations.flatMap(({ Instances = [], OwnerId }) => Instances.map((one) => toInstance(one, OwnerId)))
}

/** EC2's instance as ours. A state that is new to us counts as "not started yet", never as an end. */
export function toInstance(from: Ec2Instance, account?: string): Instance {
  return {
    id: from.InstanceId ?? '',
    ...nameOf(from),
    ...(account && attemptPatterns.account?.test(account) ? { account } : {}),
    ...launchedAt(from.LaunchTime),
    state: inTable(states, from.State?.Name ?? '') ?? 'pending',
    // EC2 refuses a launch at once, or not at all.
    started: true,
    tag: readTag(from),
    capacityType: capacityTypeOf(from),
    instanceType: from.InstanceType ?? '',
    zone: from.Placement?.AvailabilityZone ?? '',
    addresses: addressesOf(from),
    ...endOf(from),
  }
}

/** Only for people. Users may set it, and EC2 counts characters where a string counts code units. */
function nameOf({ Tags }: Ec2Instance): Pick<Instance, 'name'> {
  const name = Tags?.find(({ Key }) => Key === 'Name')?.Value
  return name ? { name: name.slice(0, longestName).toWellFormed() } : {}
}

/** Why it ends or has ended, as far as EC2 says. */
function endOf(from: Ec2Instance): Pick<Instance, 'reason' | 'interrupted' | 'failure'> {
  const reason = reasonOf(from)
  const failure = failureOf(from)
  return {
    ...(reason ? { reason } : {}),
    ...(reason && interruptions.has(reason.code) ? { interrupted: true } : {}),
    ...(failure ? { failure } : {}),
  }
}

function reasonOf({ StateReason }: Ec2Instance): { code: string; message: string } | undefined {
  if (!StateReason?.Code) return undefined
  const { Code: code, Message = code } = StateReason
  // EC2 repeats the code at the beginning of the message.
  const message = Message.startsWith(`${code}: `) ? Message.slice(code.length + 2) : Message
  return { code, message }
}

/** EC2 may accept a launch, answer with an instance, and end it because it could not be started. */
function failureOf({ State, StateReason }: Ec2Instance): CloudError | undefined {
  const kind = inTable(launchFailures, StateReason?.Code ?? '')
  if (!kind || !StateReason || !['shutting-down', 'terminated'].includes(State?.Name ?? '')) return undefined
  return withFields(new CloudError(kind, { code: StateReason.Code ?? '', message: StateReason.Message ?? '' }))
}

function capacityTypeOf({ InstanceLifecycle, CapacityReservationId }: Ec2Instance): CapacityType {
  if (InstanceLifecycle === 'spot') return 'Spot'
  return CapacityReservationId ? 'Reserved' : 'OnDemand'
}

function addressesOf(from: Ec2Instance): Address[] {
  const all: [Address['type'], string | undefined][] = [
    ['InternalDNS', from.PrivateDnsName],
    ['InternalIP', from.PrivateIpAddress],
    ['InternalIP', from.Ipv6Address],
    ['ExternalDNS', from.PublicDnsName],
    ['ExternalIP', from.PublicIpAddress],
  ]
  return all.flatMap(([type, address]) => (address ? [{ type, address }] : []))
}
