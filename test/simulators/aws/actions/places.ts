import type { Action } from '../http/action.ts'
import { boolean } from '../../kit/http/schema.ts'
import { ids, names } from '../ids.ts'
import { describe } from '../http/listing.ts'
import type { KeyPair, Zone } from '../world.ts'

const describeAvailabilityZones = describe<Zone>({
  name: 'DescribeAvailabilityZones',
  set: 'availabilityZoneInfo',
  items: ({ world }) => world.zones,
  filters: {
    'region-name': (_, { region }) => [region],
    state: () => ['available'],
    'zone-id': ({ id }) => [id],
    'zone-name': ({ name }) => [name],
    'zone-type': () => ['availability-zone'],
  },
  by: [
    { parameter: 'ZoneName', called: 'zoneName', of: ({ name }) => name, kind: names.zone },
    { parameter: 'ZoneId', called: 'zoneId', of: ({ id }) => id, kind: names.zone },
  ],
  also: { AllAvailabilityZones: boolean },
  write: (zones, { world }) =>
    zones.map(({ name, id }) => ({
      zoneName: name,
      zoneId: id,
      zoneState: 'available',
      regionName: world.region,
      groupName: world.region,
      networkBorderGroup: world.region,
      zoneType: 'availability-zone',
      optInStatus: 'opt-in-not-required',
      messageSet: [],
    })),
})

const describeRegions = describe<string>({
  name: 'DescribeRegions',
  set: 'regionInfo',
  items: ({ world }) => [world.region],
  filters: {
    endpoint: (region) => [`ec2.${region}.amazonaws.com`],
    'opt-in-status': () => ['opt-in-not-required'],
    'region-name': (region) => [region],
  },
  by: [{ parameter: 'RegionName', called: 'regionName', of: (region) => region, kind: names.region }],
  also: { AllRegions: boolean },
  write: (regions) =>
    regions.map((region) => ({
      regionName: region,
      regionEndpoint: `ec2.${region}.amazonaws.com`,
      optInStatus: 'opt-in-not-required',
    })),
})

const describeKeyPairs = describe<KeyPair>({
  name: 'DescribeKeyPairs',
  set: 'keySet',
  items: ({ world }) => world.keyPairs,
  filters: {
    fingerprint: ({ fingerprint }) => [fingerprint],
    'key-name': ({ name }) => [name],
    'key-pair-id': ({ id }) => [id],
  },
  tagsOf: () => [],
  by: [
    { parameter: 'KeyName', called: 'keyNames', of: ({ name }) => name, kind: names.keyPair },
    { parameter: 'KeyPairId', called: 'keyPairIds', of: ({ id }) => id, kind: ids.keyPair },
  ],
  also: { IncludePublicKey: boolean },
  write: (keys) =>
    keys.map(({ id, name, fingerprint }) => ({
      keyPairId: id,
      keyName: name,
      keyFingerprint: fingerprint,
      keyType: 'ed25519',
    })),
})

export const placeActions: readonly Action[] = [describeAvailabilityZones, describeRegions, describeKeyPairs]
