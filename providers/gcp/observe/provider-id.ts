import type { Instance } from '../../instances.ts'

/** As the cloud provider for GCP writes it to the Node. */
export function providerIDOf({ account, zone, name }: Instance): string {
  return `gce://${account}/${zone}/${name}`
}
