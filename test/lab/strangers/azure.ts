import type { VirtualMachine } from '@azure/arm-compute'
import { tagsFor } from '../../../providers/azure/observe/ownership.ts'
import { instanceName } from '../../../providers/shared/instance-name.ts'
import type { Launch } from '../../../providers/instances.ts'
import type { Ownership } from '../../../api/ownership.ts'
import { clientsOf, interfaceId, usualInterface, usualMachine } from '../../simulators/azure/fixture.ts'
import type { AzureSimulator } from '../../simulators/azure/simulator.ts'
import type { Strangers } from './strangers.ts'

export function azureStrangers(simulator: AzureSimulator): Strangers {
  const { facts } = simulator
  const group = facts.resourceGroup
  const make = async (name: string, tags: Record<string, string>, change = (machine: VirtualMachine) => machine) => {
    const { compute, network } = clientsOf(simulator)
    const nic = { ...usualInterface(facts), tags }
    await network.networkInterfaces.createOrUpdate(group, `${name}-nic`, nic).submitted()
    const machine = { ...usualMachine(facts, name, interfaceId(facts, `${name}-nic`)), tags }
    await compute.virtualMachines.createOrUpdate(group, name, change(machine)).submitted()
    return name
  }
  return {
    instance: (whose) => make(nameOf(whose), tagsOf(whose)),
    copy: (whose) => make(`${nameOf(whose)}-copy`, tagsOf(whose)),
    byHand: (name) => make(name, {}),
    async leftovers(whose) {
      const name = await make(nameOf(whose), tagsOf(whose), keepingParts)
      await clientsOf(simulator).compute.virtualMachines.delete(group, name).submitted()
    },
  }
}

function keepingParts(machine: VirtualMachine): VirtualMachine {
  const { storageProfile, networkProfile } = machine
  return {
    ...machine,
    storageProfile: {
      ...storageProfile,
      osDisk: { createOption: 'FromImage', ...storageProfile?.osDisk, deleteOption: 'Detach' },
    },
    networkProfile: {
      networkInterfaces: (networkProfile?.networkInterfaces ?? []).map((one) => ({ ...one, deleteOption: 'Detach' })),
    },
  }
}

function nameOf(whose: Ownership): string {
  return instanceName(whose) ?? ''
}

function tagsOf(whose: Ownership): Record<string, string> {
  const bought = { capacityType: 'Spot', instanceType: 'Standard_D2s_v5', zone: '1' } as const
  return tagsFor({ ...whose, clusterName: 'c1' } as Launch, bought, {})
}
