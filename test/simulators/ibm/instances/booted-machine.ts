import type { BootedMachine } from '../../kit/instances/nodes.ts'
import { primaryInterface, type Instance } from './instance.ts'
import type { Place } from '../ids.ts'

/**
 * The instance as its kubelet, started by its user data, would present itself: as the cloud's own controller names it.
 */
export function bootedMachine(instance: Instance, { region, accountId }: Place): BootedMachine {
  const { id, plan, zone, hostname: name } = instance
  const { profile, clusterName } = plan
  return {
    name,
    providerID: `ibm://${accountId}///${clusterName}/${id}`,
    instanceType: profile.name,
    region,
    zone: zone.name,
    addresses: [
      { type: 'InternalIP', address: primaryInterface(instance).address },
      { type: 'InternalDNS', address: name },
      { type: 'Hostname', address: name },
    ],
    // Of s390x there are no Nodes here: nothing of ours runs on it.
    architecture: 'amd64',
    cpus: profile.cpus,
    memoryMiB: profile.memoryGiB * 1024,
    devices: profile.gpu ? { 'nvidia.com/gpu': profile.gpu.count } : {},
  }
}
