import type { Instance } from '../../../api/instance.ts'

/** As IBM's cloud provider, configured with the Cluster's name, writes it to the Node. */
export function providerIDOf({ account = '', id }: Instance, clusterName: string): string {
  return `ibm://${account}///${clusterName}/${id}`
}
