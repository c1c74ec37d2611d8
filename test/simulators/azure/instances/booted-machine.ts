import type { Address } from '../../../../api/instance.ts'
import type { BootedMachine } from '../../kit/instances/nodes.ts'
import type { Account } from '../account.ts'
import type { Instance } from './instance.ts'

/** The machine as its kubelet, started by its custom data, would present itself. */
export function bootedMachine({ plan }: Instance, account: Account): BootedMachine {
  const { type, zone, location } = plan
  return {
    // The node's own name, in small letters as host names are in a cluster.
    name: plan.computerName.toLowerCase(),
    providerID: providerIdOf(plan, account),
    instanceType: type.name,
    region: location,
    zone: zone === undefined ? '0' : `${location}-${zone}`,
    addresses: addressesOf(plan, account),
    architecture: type.architecture === 'Arm64' ? 'arm64' : 'amd64',
    cpus: type.cpus,
    memoryMiB: type.memoryMiB,
    devices: type.gpus > 0 ? { 'nvidia.com/gpu': type.gpus } : {},
  }
}

/** As Azure's cloud controller manager writes it. */
function providerIdOf({ resourceGroup, name }: Instance['plan'], { world }: Account): string {
  return [
    `azure:///subscriptions/${world.subscription}/resourceGroups/${resourceGroup.toLowerCase()}`,
    `providers/Microsoft.Compute/virtualMachines/${name}`,
  ].join('/')
}

function addressesOf({ interfaces: used, computerName }: Instance['plan'], account: Account): Address[] {
  const addresses = used.flatMap(({ id }) => account.interfaces.get(id)?.addresses ?? [])
  const outside = addresses.flatMap(({ publicAddress }) => {
    const found = publicAddress && account.publicAddresses.get(publicAddress.id)
    return found ? [found.address] : []
  })
  return [
    ...addresses.map(({ address }): Address => ({ type: 'InternalIP', address })),
    { type: 'Hostname', address: computerName.toLowerCase() },
    ...outside.map((address): Address => ({ type: 'ExternalIP', address })),
  ]
}
