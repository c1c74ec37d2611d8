import { instanceName } from '../../../providers/shared/instance-name.ts'
import type { Ownership } from '../../../api/ownership.ts'
import { usualLaunch, VpcClient } from '../../simulators/ibm/fixture.ts'
import type { IbmSimulator } from '../../simulators/ibm/simulator.ts'
import type { Strangers } from './strangers.ts'

export function ibmStrangers(simulator: IbmSimulator): Strangers {
  const { subnet, securityGroup } = simulator.facts
  const network = { subnet: { id: subnet }, security_groups: [{ id: securityGroup }] }
  const named = (name: string) => ({
    primary_network_attachment: undefined,
    primary_network_interface: { name, ...network },
  })
  const make = async (name: string, over: object = {}) => {
    const body = { ...usualLaunch(simulator), name, ...over }
    const { result } = await new VpcClient(simulator).call('POST', '/instances', { body })
    return String(result['id'])
  }
  return {
    // Its name and that of its network interface are all that an instance of ours shows.
    instance: (whose) => make(nameOf(whose), named(nameOf(whose))),
    copy: (whose) => make(`copy-${nameOf(whose).slice(-50)}`, named(nameOf(whose))),
    byHand: (name) => make(name),
    async leftovers(whose) {
      const name = nameOf(whose)
      const volume = { profile: { name: 'general-purpose' }, capacity: 100 }
      const id = await make(name, {
        boot_volume_attachment: { delete_volume_on_instance_delete: false, volume },
        primary_network_attachment: { name, virtual_network_interface: { name, ...network, auto_delete: false } },
      })
      await new VpcClient(simulator).call('DELETE', `/instances/${id}`)
    },
  }
}

function nameOf(whose: Ownership): string {
  return instanceName(whose) ?? ''
}
