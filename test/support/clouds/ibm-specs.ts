import type { IBMClusterSpec } from '../../../api/generated/ibm-cluster.ts'
import type { IBMMachineSpec } from '../../../api/generated/ibm-machine.ts'
import { annotations } from '../../../api/labels.ts'
import type { Wanted } from '../../../providers/cloud.ts'
import type { ImageFacts, ProfileFacts, Subnet } from '../../../providers/ibm/lookups/facts.ts'
import type { Looking } from '../../../providers/ibm/lookups/lookups.ts'
import type { VpcNamed } from '../../../providers/ibm/wire/documents.ts'

export const image = 'r006-image'
export const scope = { cloud: 'ibm', identity: 'default', region: 'us-south' } as const

/** One subnet in each of three zones. */
export const network = {
  vpc: { id: 'r006-vpc' },
  workerSubnets: [1, 2, 3].map((zone) => ({ id: `07${zone}7-subnet`, zone: `us-south-${zone}` })),
}

/** Undefined takes away what would be there. */
type Changed<T> = { [Field in keyof T]?: T[Field] | undefined }

export interface Given extends Pick<Wanted, 'failureDomain' | 'at' | 'exclude' | 'choice'> {
  readonly name?: string
  readonly owner?: string
  readonly machine?: Changed<IBMMachineSpec>
  readonly cluster?: Changed<IBMClusterSpec>
}

/** A machine for which only its profile has to be looked up, unless what is given asks for more. */
export function wantedWith({ name = 'm1', owner, machine, cluster, ...more }: Given = {}): Wanted<
  IBMMachineSpec,
  IBMClusterSpec
> {
  const usual = { profile: 'bxf-2x8', image: { id: image }, primaryNetworkInterface: { subnet: '0717-subnet' } }
  return {
    machine: {
      apiVersion: '',
      kind: 'IBMMachine',
      metadata: { namespace: 'default', name },
      spec: present({ ...usual, ...machine }),
    },
    cluster: {
      apiVersion: '',
      kind: 'IBMCluster',
      metadata: {
        namespace: 'default',
        name: 'c1',
        ...(owner === undefined ? {} : { annotations: { [annotations.ownerId]: owner } }),
      },
      spec: present({ region: scope.region, network, ...cluster }),
    },
    ...more,
  }
}

/** The fields that are there. */
function present<Spec>(spec: Changed<Spec>): Spec {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)) as Spec
}

export const flex: ProfileFacts = {
  name: 'bxf-2x8',
  classes: ['standard', 'spot'],
  usualClass: 'standard',
  architecture: 'amd64',
  cpus: 2,
  percentage: 100,
  memoryGiB: 8,
  devices: {},
  zones: [],
}

/** What IBM Cloud would say, and what it was asked. */
export class FakeLookups implements Looking {
  readonly asked: string[] = []
  profiles: readonly ProfileFacts[] = [flex, { ...flex, name: 'bx2-2x8', classes: ['standard'] }]
  images: readonly ImageFacts[] = []
  known: readonly Subnet[] = []
  keyNames: readonly VpcNamed[] = []
  groupNames: readonly VpcNamed[] = []

  profile(name: string): Promise<ProfileFacts | undefined> {
    this.asked.push(`profile ${name}`)
    return Promise.resolve(this.profiles.find((one) => one.name === name))
  }

  image(id: string): Promise<ImageFacts | undefined> {
    this.asked.push(`image ${id}`)
    return Promise.resolve(this.images.find((one) => one.id === id))
  }

  imagesNamed(name: string): Promise<readonly ImageFacts[]> {
    this.asked.push(`images ${name}`)
    return Promise.resolve(this.images)
  }

  subnet(id: string): Promise<Subnet | undefined> {
    this.asked.push(`subnet ${id}`)
    return Promise.resolve(this.known.find((one) => one.id === id))
  }

  keys(): Promise<readonly VpcNamed[]> {
    this.asked.push('keys')
    return Promise.resolve(this.keyNames)
  }

  securityGroups(vpc: string | undefined): Promise<readonly VpcNamed[]> {
    this.asked.push(`groups of ${vpc}`)
    return Promise.resolve(this.groupNames)
  }
}
