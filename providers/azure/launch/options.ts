import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'

/** Settings of a machine that follow from its spec alone. */
export function identityOf({ identity = 'None', userAssignedIdentities = [] }: AzureMachineSpec): object | undefined {
  if (identity === 'None') return undefined
  if (identity === 'SystemAssigned') return { type: identity }
  const ids = userAssignedIdentities.map(({ providerID }) => providerID.replace(/^azure:\/\//, ''))
  return { type: identity, userAssignedIdentities: Object.fromEntries(ids.map((id) => [id, {}])) }
}

export function securityOf({ securityProfile }: AzureMachineSpec): { securityProfile?: object } {
  return securityProfile ? { securityProfile: { ...securityProfile } } : {}
}

/** On unless it is switched off: it shows why a machine does not come up. */
export function diagnosticsOf({ diagnostics }: AzureMachineSpec): { diagnosticsProfile: object } {
  const enabled = diagnostics?.boot?.storageAccountType !== 'Disabled'
  return { diagnosticsProfile: { bootDiagnostics: { enabled } } }
}
