import type { IBMMachineSpec } from '../../../api/generated/ibm-machine.ts'
import type { LaunchAs } from './request.ts'

/** Settings of an instance that follow from its spec alone. */
export function placementOf({ placementTarget }: IBMMachineSpec): Pick<LaunchAs, 'placement_target'> {
  const { dedicatedHost, dedicatedHostGroup, placementGroup } = placementTarget ?? {}
  const target = dedicatedHost ?? dedicatedHostGroup ?? placementGroup
  return target ? { placement_target: { id: target.id } } : {}
}

export function metadataServiceOf({ metadataService }: IBMMachineSpec): Pick<LaunchAs, 'metadata_service'> {
  if (!metadataService) return {}
  const { enabled, protocol, responseHopLimit } = metadataService
  return {
    metadata_service: {
      ...(enabled === undefined ? {} : { enabled }),
      ...(protocol === undefined ? {} : { protocol }),
      ...(responseHopLimit === undefined ? {} : { response_hop_limit: responseHopLimit }),
    },
  }
}
