import type { GCPClusterSpec } from '../../../api/generated/gcp-cluster.ts'
import type { GCPMachineSpec } from '../../../api/generated/gcp-machine.ts'
import { annotations } from '../../../api/labels.ts'
import type { Wanted } from '../../../providers/cloud.ts'
import type { TypeFacts } from '../../../providers/gcp/lookups/facts.ts'
import type { Looking } from '../../../providers/gcp/lookups/lookups.ts'

export const image = 'projects/my-project/global/images/my-image'
export const scope = { cloud: 'gcp', identity: 'default', account: 'my-project', region: 'europe-west1' } as const

/** Undefined takes away what would be there. */
type Changed<T> = { [Field in keyof T]?: T[Field] | undefined }

export interface Given extends Pick<Wanted, 'failureDomain' | 'version' | 'at' | 'exclude' | 'choice'> {
  readonly name?: string
  readonly owner?: string
  readonly machine?: Changed<GCPMachineSpec>
  readonly cluster?: Changed<GCPClusterSpec>
}

/** A machine that needs nothing to be looked up, unless what is given asks for it. */
export function wantedWith({ name = 'm1', owner, machine, cluster, ...more }: Given = {}): Wanted<
  GCPMachineSpec,
  GCPClusterSpec
> {
  const place = { project: scope.account, region: scope.region, failureDomains: ['europe-west1-b'] }
  const owned = owner === undefined ? {} : { annotations: { [annotations.ownerId]: owner } }
  return {
    machine: {
      apiVersion: '',
      kind: 'GCPMachine',
      metadata: { namespace: 'default', name },
      spec: present({ instanceType: 'e2-standard-4', image, ...machine }),
    },
    cluster: {
      apiVersion: '',
      kind: 'GCPCluster',
      metadata: { namespace: 'default', name: 'c1', ...owned },
      spec: present({ ...place, ...cluster }),
    },
    ...more,
  }
}

/** The fields that are there. */
function present<Spec>(spec: Changed<Spec>): Spec {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)) as Spec
}

/** What GCE would say, and what it was asked. */
export class FakeLookups implements Looking {
  readonly asked: string[] = []
  types: Readonly<Record<string, Partial<TypeFacts>>> = {}
  offering: readonly string[] = []
  all: readonly string[] = []
  /** Types that GCE never moves to another host. */
  staying: readonly string[] = []

  machineType(name: string): Promise<TypeFacts | undefined> {
    this.asked.push(`type ${name}`)
    const facts = this.types[name]
    return Promise.resolve(facts && { architecture: 'amd64', cpus: 4, memoryMiB: 16_384, accelerators: [], ...facts })
  }

  zonesOffering(instanceType: string): Promise<readonly string[]> {
    this.asked.push(`offering ${instanceType}`)
    return Promise.resolve(this.offering)
  }

  staysOnItsHost(instanceType: string): Promise<boolean> {
    this.asked.push(`host ${instanceType}`)
    return Promise.resolve(this.staying.includes(instanceType))
  }

  zones(): Promise<readonly string[]> {
    this.asked.push('zones')
    return Promise.resolve(this.all)
  }
}
