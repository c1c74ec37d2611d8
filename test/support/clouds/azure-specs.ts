import type { AzureClusterSpec } from '../../../api/generated/azure-cluster.ts'
import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'
import { annotations } from '../../../api/labels.ts'
import type { Wanted } from '../../../providers/cloud.ts'
import type { Scope } from '../../../api/scope.ts'

export const subscription = '5be0c1a0-0000-4000-8000-000000000001'
export const group = 'Spot-Workers'
export const groupPath = `/subscriptions/${subscription}/resourceGroups/${group}`
export const image = `${groupPath}/providers/Microsoft.Compute/images/ubuntu`
export const scope: Scope = {
  cloud: 'azure',
  identity: 'default',
  account: subscription,
  region: 'westus2',
  within: group,
}

/** Undefined takes away what would be there. */
type Changed<T> = { [Field in keyof T]?: T[Field] | undefined }

export interface Given extends Pick<Wanted, 'failureDomain' | 'version' | 'at' | 'exclude' | 'choice'> {
  readonly name?: string
  readonly owner?: string
  readonly machine?: Changed<AzureMachineSpec>
  readonly cluster?: Changed<AzureClusterSpec>
}

/** A machine that says no more than it must. */
export function wantedWith({ name = 'm1', owner, machine, cluster, ...more }: Given = {}): Wanted<
  AzureMachineSpec,
  AzureClusterSpec
> {
  return {
    machine: {
      apiVersion: '',
      kind: 'AzureMachine',
      metadata: { namespace: 'default', name },
      spec: present({ vmSize: 'Standard_D2s_v5', image: { id: image }, ...machine }),
    },
    cluster: {
      apiVersion: '',
      kind: 'AzureCluster',
      metadata: {
        namespace: 'default',
        name: 'c1',
        ...(owner === undefined ? {} : { annotations: { [annotations.ownerId]: owner } }),
      },
      spec: present({
        subscriptionID: subscription,
        resourceGroup: group,
        location: scope.region,
        networkSpec: { vnet: { name: 'spot' }, subnets: [{ name: 'nodes' }] },
        ...cluster,
      }),
    },
    ...more,
  }
}

/** The fields that are there. */
function present<Spec>(spec: Changed<Spec>): Spec {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)) as Spec
}
