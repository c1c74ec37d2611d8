import type { Account } from '../account.ts'
import type { Action } from '../http/action.ts'
import { ids, names } from '../ids.ts'
import { describe } from '../http/listing.ts'
import { writeTags } from '../instances/tags.ts'
import type { SecurityGroup, Subnet, Vpc } from '../world.ts'
import type { XmlElement } from '../http/xml.ts'

const page = { min: 5, max: 1000 }

const describeVpcs = describe<Vpc>({
  name: 'DescribeVpcs',
  set: 'vpcSet',
  items: ({ world }) => world.vpcs,
  filters: {
    cidr: ({ cidr }) => [cidr],
    'is-default': ({ isDefault }) => [String(isDefault)],
    state: () => ['available'],
    'vpc-id': ({ id }) => [id],
  },
  tagsOf: ({ tags }) => tags,
  by: [{ parameter: 'VpcId', called: 'vpcIds', of: ({ id }) => id, kind: ids.vpc }],
  page,
  write: (vpcs, { world }) =>
    vpcs.map(({ id, cidr, isDefault, tags }) => ({
      vpcId: id,
      ownerId: world.accountId,
      state: 'available',
      cidrBlock: cidr,
      dhcpOptionsId: 'dopt-0c1a0000000000001',
      instanceTenancy: 'default',
      isDefault,
      tagSet: writeTags(tags),
    })),
})

const describeSubnets = describe<Subnet>({
  name: 'DescribeSubnets',
  set: 'subnetSet',
  items: ({ world }) => world.subnets,
  filters: {
    'availability-zone': ({ zone }) => [zone.name],
    'availability-zone-id': ({ zone }) => [zone.id],
    'cidr-block': ({ cidr }) => [cidr],
    'default-for-az': ({ isDefault }) => [String(isDefault)],
    'map-public-ip-on-launch': ({ isPublic }) => [String(isPublic)],
    'owner-id': (_, { accountId }) => [accountId],
    state: () => ['available'],
    'subnet-id': ({ id }) => [id],
    'vpc-id': ({ vpc }) => [vpc],
  },
  tagsOf: ({ tags }) => tags,
  by: [{ parameter: 'SubnetId', called: 'subnetSet', of: ({ id }) => id, kind: ids.subnet }],
  page,
  write: (subnets, account) => subnets.map((subnet) => writeSubnet(subnet, account)),
})

function writeSubnet(subnet: Subnet, { world, instances }: Account): XmlElement {
  return {
    subnetId: subnet.id,
    subnetArn: `arn:aws:ec2:${world.region}:${world.accountId}:subnet/${subnet.id}`,
    state: 'available',
    ownerId: world.accountId,
    vpcId: subnet.vpc,
    cidrBlock: subnet.cidr,
    availableIpAddressCount: instances.freeAddresses(subnet),
    availabilityZone: subnet.zone.name,
    availabilityZoneId: subnet.zone.id,
    defaultForAz: subnet.isDefault,
    mapPublicIpOnLaunch: subnet.isPublic,
    assignIpv6AddressOnCreation: false,
    tagSet: writeTags(subnet.tags),
  }
}

const describeSecurityGroups = describe<SecurityGroup>({
  name: 'DescribeSecurityGroups',
  set: 'securityGroupInfo',
  items: ({ world }) => world.securityGroups,
  filters: {
    description: ({ description }) => [description],
    'group-id': ({ id }) => [id],
    'group-name': ({ name }) => [name],
    'owner-id': (_, { accountId }) => [accountId],
    'vpc-id': ({ vpc }) => [vpc],
  },
  tagsOf: ({ tags }) => tags,
  by: [
    { parameter: 'GroupId', called: 'groupIds', of: ({ id }) => id, kind: ids.securityGroup },
    { parameter: 'GroupName', called: 'groupNames', of: ({ name }) => name, kind: names.securityGroup },
  ],
  page,
  write: (groups, { world }) =>
    groups.map(({ id, name, vpc, description, tags }) => ({
      ownerId: world.accountId,
      groupId: id,
      groupName: name,
      groupDescription: description,
      vpcId: vpc,
      ipPermissions: [],
      ipPermissionsEgress: [],
      tagSet: writeTags(tags),
    })),
})

export const networkActions: readonly Action[] = [describeVpcs, describeSubnets, describeSecurityGroups]
