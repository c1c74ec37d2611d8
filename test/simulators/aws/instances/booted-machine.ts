import type { Address } from '../../../../api/instance.ts'
import type { BootedMachine } from '../../kit/instances/nodes.ts'
import { primaryInterface, privateDnsName, publicDnsName, type Instance } from './instance.ts'
import type { InstanceType } from '../supply/instance-types.ts'

/** The instance as its kubelet, started by its user data, would present itself. */
export function bootedMachine(instance: Instance, region: string): BootedMachine {
  const { type, subnet } = instance.plan
  const name = privateDnsName(instance, region)
  return {
    name,
    providerID: `aws:///${subnet.zone.name}/${instance.id}`,
    instanceType: type.name,
    region,
    zone: subnet.zone.name,
    addresses: addresses(instance, region),
    architecture: type.architecture === 'arm64' ? 'arm64' : 'amd64',
    cpus: type.cpus,
    memoryMiB: type.memoryMiB,
    devices: devices(type),
  }
}

function addresses(instance: Instance, region: string): Address[] {
  const { privateAddress, publicAddress } = primaryInterface(instance)
  const name = privateDnsName(instance, region)
  const inside: Address[] = [
    { type: 'InternalIP', address: privateAddress },
    { type: 'InternalDNS', address: name },
    { type: 'Hostname', address: name },
  ]
  if (publicAddress === undefined) return inside
  return [
    ...inside,
    { type: 'ExternalIP', address: publicAddress },
    { type: 'ExternalDNS', address: publicDnsName(publicAddress, region) },
  ]
}

function devices({ gpu, neuron }: InstanceType): Record<string, number> {
  return {
    ...(gpu && { 'nvidia.com/gpu': gpu.count }),
    ...(neuron && { 'aws.amazon.com/neuron': neuron.devices }),
  }
}
