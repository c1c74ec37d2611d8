import type { AWSClusterSpec } from '../../../api/generated/aws-cluster.ts'
import type { AWSMachineSpec } from '../../../api/generated/aws-machine.ts'
import type { ImageFacts, Subnet, TypeFacts } from '../../../providers/aws/lookups/facts.ts'
import type { Filter, ImageQuery, Looking } from '../../../providers/aws/lookups/lookups.ts'
import type { Wanted } from '../../../providers/cloud.ts'

export const image = 'ami-0123456789abcdef0'
export const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const

/** One private subnet in each of two zones, and a public one. */
export const network = {
  subnets: [
    { id: 'subnet-public', availabilityZone: 'us-east-1a', isPublic: true },
    { id: 'subnet-a', availabilityZone: 'us-east-1a' },
    { id: 'subnet-b', availabilityZone: 'us-east-1b' },
  ],
}

/** Undefined takes away what would be there. */
type Changed<T> = { [Field in keyof T]?: T[Field] | undefined }

export interface Given extends Pick<Wanted, 'failureDomain' | 'version' | 'at' | 'exclude' | 'choice'> {
  readonly name?: string
  readonly machine?: Changed<AWSMachineSpec>
  readonly cluster?: Changed<AWSClusterSpec>
}

/** A machine that needs nothing to be looked up, unless what is given asks for it. */
export function wantedWith({ name = 'm1', machine, cluster, ...more }: Given = {}): Wanted<
  AWSMachineSpec,
  AWSClusterSpec
> {
  const metadata = { namespace: 'default', name }
  const usual = { instanceType: 'm5.large', ami: { id: image }, subnet: { id: 'subnet-a' } }
  return {
    machine: { apiVersion: '', kind: 'AWSMachine', metadata, spec: present({ ...usual, ...machine }) },
    cluster: {
      apiVersion: '',
      kind: 'AWSCluster',
      metadata: { namespace: 'default', name: 'c1' },
      spec: present({ region: scope.region, network, ...cluster }),
    },
    ...more,
  }
}

/** The fields that are there. */
function present<Spec>(spec: Changed<Spec>): Spec {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)) as Spec
}

export function imageFactsOf(facts: Partial<ImageFacts>): ImageFacts {
  return { id: '', rootDevice: '/dev/sda1', created: '', isWindows: false, volumes: [], ...facts }
}

/** What EC2 would say, and what it was asked. */
export class FakeLookups implements Looking {
  readonly asked: string[] = []
  types: Readonly<Record<string, Partial<TypeFacts>>> = {}
  images: readonly Partial<ImageFacts>[] = []
  subnetsFor: (filters: readonly Filter[]) => readonly Subnet[] = () => []
  groupsFor: (filters: readonly Filter[]) => readonly string[] = () => []
  zones: readonly string[] = []

  instanceType(name: string): Promise<TypeFacts | undefined> {
    this.asked.push(`type ${name}`)
    const facts = this.types[name]
    return Promise.resolve(facts && { architecture: 'x86_64', cpus: 2, memoryMiB: 8_192, devices: {}, ...facts })
  }

  image(id: string): Promise<ImageFacts | undefined> {
    this.asked.push(`image ${id}`)
    const facts = this.images.find((one) => one.id === id)
    return Promise.resolve(facts && imageFactsOf({ id, ...facts }))
  }

  newestImage({ owner, name, architecture }: ImageQuery): Promise<ImageFacts | undefined> {
    this.asked.push(`newest ${owner} ${name} ${architecture}`)
    const [facts] = this.images
    return Promise.resolve(facts && imageFactsOf(facts))
  }

  async subnets(filters: readonly Filter[]): Promise<readonly Subnet[]> {
    this.asked.push(`subnets ${shown(filters)}`)
    return this.subnetsFor(filters)
  }

  async securityGroups(filters: readonly Filter[]): Promise<readonly string[]> {
    this.asked.push(`groups ${shown(filters)}`)
    return this.groupsFor(filters)
  }

  zonesOffering(instanceType: string): Promise<readonly string[]> {
    this.asked.push(`zones ${instanceType}`)
    return Promise.resolve(this.zones)
  }
}

function shown(filters: readonly Filter[]): string {
  return filters.map(({ name, values }) => `${name}=${values.join('|')}`).join(' ')
}
