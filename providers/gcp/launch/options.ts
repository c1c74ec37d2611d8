import type { GCPMachineSpec } from '../../../api/generated/gcp-machine.ts'

/** Settings of an instance that follow from its spec alone, as GCE has them. */
export interface Options {
  readonly canIpForward: boolean
  readonly serviceAccounts: readonly { readonly email: string; readonly scopes: readonly string[] }[]
  readonly shieldedInstanceConfig?: {
    readonly enableSecureBoot: boolean
    readonly enableVtpm: boolean
    readonly enableIntegrityMonitoring: boolean
  }
  readonly confidentialInstanceConfig?:
    | { readonly enableConfidentialCompute: true }
    | { readonly confidentialInstanceType: string }
}

export interface Accelerator {
  readonly type: string
  readonly count: number
}

const everything = 'https://www.googleapis.com/auth/cloud-platform'

export function optionsOf(spec: GCPMachineSpec): Options {
  const { ipForwarding, serviceAccounts, shieldedInstanceConfig: shielded } = spec
  const confidential = confidentialOf(spec)
  return {
    canIpForward: ipForwarding !== 'Disabled',
    serviceAccounts: [{ email: serviceAccounts?.email ?? 'default', scopes: serviceAccounts?.scopes ?? [everything] }],
    ...(shielded
      ? {
          shieldedInstanceConfig: {
            enableSecureBoot: shielded.secureBoot === 'Enabled',
            enableVtpm: shielded.virtualizedTrustedPlatformModule !== 'Disabled',
            enableIntegrityMonitoring: shielded.integrityMonitoring !== 'Disabled',
          },
        }
      : {}),
    ...(confidential ? { confidentialInstanceConfig: confidential } : {}),
  }
}

const technologies: Readonly<Record<string, string>> = {
  AMDEncryptedVirtualization: 'SEV',
  AMDEncryptedVirtualizationNestedPaging: 'SEV_SNP',
  IntelTrustedDomainExtensions: 'TDX',
}

function confidentialOf({ confidentialCompute = 'Disabled' }: GCPMachineSpec): Options['confidentialInstanceConfig'] {
  if (confidentialCompute === 'Enabled') return { enableConfidentialCompute: true }
  const confidentialInstanceType = technologies[confidentialCompute]
  return confidentialInstanceType === undefined ? undefined : { confidentialInstanceType }
}

/** By name only: the zone follows from the instance. */
export function acceleratorsOf({ guestAccelerators = [] }: GCPMachineSpec): Accelerator[] {
  return guestAccelerators.map(({ type, count }) => ({ type: type.slice(type.lastIndexOf('/') + 1), count }))
}
