import type { AzureMachineSpec } from '../../../api/generated/azure-machine.ts'
import { invalid } from '../../shared/invalid.ts'

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

/** On unless it is switched off: without it nobody learns why a machine does not come up. */
export function diagnosticsOf({ diagnostics }: AzureMachineSpec): { diagnosticsProfile: object } {
  const enabled = diagnostics?.boot?.storageAccountType !== 'Disabled'
  return { diagnosticsProfile: { bootDiagnostics: { enabled } } }
}

/** Undefined: nobody logs in. */
export function sshKeyOf({ sshPublicKey }: AzureMachineSpec): string | undefined {
  if (!sshPublicKey) return undefined
  const key = Buffer.from(sshPublicKey, 'base64').toString().trim()
  if (/^(ssh-rsa|ssh-ed25519) [A-Za-z0-9+/]+={0,2}( [^\r\n]*)?$/.test(key)) return key
  throw invalid(
    'spec.sshPublicKey of the AzureMachine is not a public key of type ssh-rsa or ssh-ed25519 in base64; encode one line of ' +
      'authorized_keys, or leave it out.',
  )
}
