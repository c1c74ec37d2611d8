import type { Address } from '../../../../api/instance.ts'
import type { BootedMachine } from '../../kit/instances/nodes.ts'
import { dnsName, primaryInterface, type Instance } from './instance.ts'
import type { World } from '../world.ts'

/** The instance as its kubelet, started by its user data, would present itself. */
export function bootedMachine(instance: Instance, world: World): BootedMachine {
  const { name, zone, machineType } = instance.plan
  return {
    name,
    providerID: `gce://${world.project}/${zone.name}/${name}`,
    instanceType: machineType.name,
    region: zone.region,
    zone: zone.name,
    addresses: addresses(instance, world),
    architecture: machineType.architecture === 'ARM64' ? 'arm64' : 'amd64',
    cpus: machineType.cpus,
    memoryMiB: machineType.memoryMiB,
    devices: devices(instance),
  }
}

function addresses(instance: Instance, { project }: World): Address[] {
  const { privateAddress, publicAddress } = primaryInterface(instance)
  const name = dnsName(instance, project)
  return [
    ...(privateAddress === undefined ? [] : [{ type: 'InternalIP', address: privateAddress } as const]),
    ...(publicAddress === undefined ? [] : [{ type: 'ExternalIP', address: publicAddress } as const]),
    { type: 'InternalDNS', address: name },
    { type: 'Hostname', address: name },
  ]
}

function devices({ plan }: Instance): Record<string, number> {
  const gpus = [...plan.accelerators, ...plan.machineType.accelerators].reduce((sum, { count }) => sum + count, 0)
  return gpus > 0 ? { 'nvidia.com/gpu': gpus } : {}
}
