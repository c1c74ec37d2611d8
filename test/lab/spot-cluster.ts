import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { loadAll } from 'js-yaml'
import { fill } from '../../examples/fill.ts'
import type { Lab } from './lab.ts'
import type { Manifest } from './objects.ts'

const examples = path.join(import.meta.dirname, '..', '..', 'examples', 'aws')

/** One cluster of spot workers, as examples/ makes it. */
export interface SpotCluster {
  readonly name: string
  readonly namespace: string
  readonly workers: number
  /** Further variables of the examples, or others instead of the lab's. */
  readonly values?: Readonly<Record<string, string>>
}

/** Applies examples/aws, filled in with what the lab's EC2 has: its own API server is the control plane elsewhere. */
export async function applySpotCluster(lab: Lab, cluster: SpotCluster): Promise<Manifest[]> {
  const values = await valuesFor(lab, cluster)
  const applied: Manifest[] = []
  for (const file of ['cluster.yaml', 'workers.yaml']) {
    const text = fill(await readFile(path.join(examples, file), 'utf8'), values)
    applied.push(...(await lab.apply(loadAll(text) as Manifest[])))
  }
  return applied
}

async function valuesFor(
  { aws: { facts }, cluster: access }: Lab,
  { name, namespace, workers, values }: SpotCluster,
): Promise<Record<string, string>> {
  return {
    CLUSTER_NAME: name,
    NAMESPACE: namespace,
    CONTROL_PLANE_HOST: '127.0.0.1',
    CONTROL_PLANE_PORT: new URL(access.admin.server).port,
    WORKLOAD_KUBECONFIG_B64: (await readFile(access.kubeconfig)).toString('base64'),
    AWS_REGION: facts.region,
    AWS_VPC_ID: facts.vpc,
    AWS_SUBNET_ID: facts.subnet,
    AWS_AVAILABILITY_ZONE: facts.subnets.find(({ id }) => id === facts.subnet)?.availabilityZone ?? '',
    AWS_SECURITY_GROUP_ID: facts.securityGroup,
    AWS_AMI_ID: facts.image,
    // Nobody reads them here: a simulated instance has joined once it has booted.
    JOIN_TOKEN: 'abcdef.0123456789abcdef',
    CA_CERT_HASH: 'sha256:0',
    WORKER_MACHINE_COUNT: String(workers),
    ...values,
  }
}
