import type { Instance } from '../../../api/instance.ts'

/** As the AWS cloud provider writes it to the Node. */
export function providerIDOf({ zone, id }: Instance): string {
  return `aws:///${zone}/${id}`
}
