import { azureName, azureSource } from './azure.ts'
import { ec2Source } from './ec2.ts'
import { gceSource } from './gce.ts'
import type { Metadata, Source } from './source.ts'

/** By the providerID of the Node. Undefined: this cloud announces nothing in its metadata. */
export function sourceOf(providerID: string, metadata: Metadata): Source | undefined {
  if (providerID.startsWith('aws://')) return ec2Source(metadata)
  if (providerID.startsWith('gce://')) return gceSource(metadata)
  const name = providerID.startsWith('azure://') ? azureName(providerID) : undefined
  return name === undefined ? undefined : azureSource(metadata, name)
}
