import type { Instance } from '../../../api/instance.ts'

/** As the cloud provider for GCP writes it to the Node. */
export function providerIDOf({ account, zone, name }: Instance): string {
  return `gce://${account}/${zone}/${name}`
}
