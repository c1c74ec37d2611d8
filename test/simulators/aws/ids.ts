import { randomBytes } from 'node:crypto'
import { Ec2Error } from './http/errors.ts'

/** An id of EC2's long form: the prefix and 17 hexadecimal digits, of which the first is 0. */
export function newId(prefix: string): string {
  return `${prefix}-0${randomBytes(8).toString('hex')}`
}

/** Spot requests keep the short form. */
export function newSpotRequestId(): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
  return `sir-${[...randomBytes(8)].map((byte) => alphabet[byte % alphabet.length]).join('')}`
}

/** Things that are asked for by a name of their own. */
export interface NameKind {
  /** What EC2 says when some of them are not there. */
  readonly notFound: (names: readonly string[]) => Ec2Error
}

/** Things with an id of EC2's making. */
export interface IdKind extends NameKind {
  readonly prefix: string
  /** The code for an id that is none; a dozen kinds of id have a dozen spellings of it. */
  readonly malformed: string
}

function nameKind(code: string, noun: string): NameKind {
  return {
    notFound: (names) =>
      new Ec2Error(
        code,
        names.length === 1
          ? `The ${noun} '${names.join()}' does not exist`
          : `The ${noun}s '${names.join(', ')}' do not exist`,
      ),
  }
}

function idKind(prefix: string, codes: readonly [malformed: string, notFound: string], noun: string): IdKind {
  return { prefix, malformed: codes[0], ...nameKind(codes[1], noun) }
}

export const ids = {
  image: {
    prefix: 'ami',
    malformed: 'InvalidAMIID.Malformed',
    notFound: (names) =>
      new Ec2Error(
        'InvalidAMIID.NotFound',
        names.length === 1
          ? `The image id '[${names.join()}]' does not exist`
          : `The image ids '[${names.join(', ')}]' do not exist`,
      ),
  },
  instance: idKind('i', ['InvalidInstanceID.Malformed', 'InvalidInstanceID.NotFound'], 'instance ID'),
  subnet: idKind('subnet', ['InvalidSubnetID.Malformed', 'InvalidSubnetID.NotFound'], 'subnet ID'),
  vpc: idKind('vpc', ['InvalidVpcID.Malformed', 'InvalidVpcID.NotFound'], 'vpc ID'),
  securityGroup: idKind('sg', ['InvalidGroupId.Malformed', 'InvalidGroup.NotFound'], 'security group'),
  keyPair: idKind('key', ['InvalidParameterValue', 'InvalidKeyPair.NotFound'], 'key pair ID'),
  spotRequest: idKind(
    'sir',
    ['InvalidSpotInstanceRequestID.Malformed', 'InvalidSpotInstanceRequestID.NotFound'],
    'spot instance request ID',
  ),
  networkInterface: idKind(
    'eni',
    ['InvalidNetworkInterfaceId.Malformed', 'InvalidNetworkInterfaceID.NotFound'],
    'networkInterface ID',
  ),
  volume: idKind('vol', ['InvalidVolumeID.Malformed', 'InvalidVolume.NotFound'], 'volume'),
  placementGroup: idKind(
    'pg',
    ['InvalidPlacementGroupId.Malformed', 'InvalidPlacementGroup.Unknown'],
    'placement group',
  ),
  capacityReservation: idKind(
    'cr',
    ['InvalidCapacityReservationId.Malformed', 'InvalidCapacityReservationId.NotFound'],
    'capacity reservation ID',
  ),
} as const satisfies Record<string, IdKind>

export const names = {
  placementGroup: {
    notFound: (names) =>
      new Ec2Error('InvalidPlacementGroup.Unknown', `The Placement Group '${names.join(', ')}' is unknown.`),
  },
  keyPair: nameKind('InvalidKeyPair.NotFound', 'key pair'),
  securityGroup: nameKind('InvalidGroup.NotFound', 'security group'),
  instanceType: {
    notFound: (names) =>
      new Ec2Error('InvalidInstanceType', `The following supplied instance types do not exist: [${names.join(', ')}]`),
  },
  zone: {
    notFound: (names) => new Ec2Error('InvalidParameterValue', `Invalid availability zone: [${names.join(', ')}]`),
  },
  region: {
    notFound: (names) => new Ec2Error('InvalidParameterValue', `Invalid region name: [${names.join(', ')}]`),
  },
} as const satisfies Record<string, NameKind>

/** Looks things up, all or none, with EC2's two ways of saying no. */
export function findAll<T>(
  kind: IdKind | NameKind,
  wanted: readonly string[],
  items: readonly T[],
  keyOf: (item: T) => string,
): readonly T[] {
  if ('prefix' in kind) for (const id of wanted) checkForm(kind, id)
  const byKey = new Map(items.map((item) => [keyOf(item), item]))
  const unique = [...new Set(wanted)]
  const unknown = unique.filter((key) => !byKey.has(key))
  if (unknown.length > 0) throw kind.notFound(unknown)
  return unique.flatMap((key) => byKey.get(key) ?? [])
}

export function findOne<T>(
  kind: IdKind | NameKind,
  wanted: string,
  items: readonly T[],
  keyOf: (item: T) => string,
): T {
  const [found] = findAll(kind, [wanted], items, keyOf)
  if (found === undefined) throw kind.notFound([wanted])
  return found
}

function checkForm({ prefix, malformed }: IdKind, id: string): void {
  const rest = id.startsWith(`${prefix}-`) ? id.slice(prefix.length + 1) : ''
  const form = prefix === 'sir' ? /^[a-z0-9]{8}$/ : /^([0-9a-f]{8}|[0-9a-f]{17})$/
  if (!form.test(rest)) throw new Ec2Error(malformed, `Invalid id: "${id}" (expecting "${prefix}-...")`)
}
