import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'
import { expect, inject, test } from 'vitest'
import { fill } from '../../examples/fill.ts'
import { startLab } from '../lab/lab.ts'
import type { Manifest } from '../lab/objects.ts'

const values = {
  CLUSTER_NAME: 'example',
  CONTROL_PLANE_HOST: 'control-plane.example.com',
  WORKLOAD_KUBECONFIG_B64: Buffer.from('{}').toString('base64'),
  JOIN_TOKEN: 'abcdef.0123456789abcdef',
  CA_CERT_HASH: 'sha256:00',
  AWS_REGION: 'eu-west-1',
  AWS_VPC_ID: 'vpc-0123456789abcdef0',
  AWS_SUBNET_ID: 'subnet-0123456789abcdef0',
  AWS_AVAILABILITY_ZONE: 'eu-west-1a',
  AWS_SECURITY_GROUP_ID: 'sg-0123456789abcdef0',
  AWS_AMI_ID: 'ami-0123456789abcdef0',
  AWS_GPU_AMI_ID: 'ami-0123456789abcdef1',
  WORKER_MACHINE_COUNT: '0',
}

test('core accepts the examples as they are', async () => {
  await using lab = await startLab({ cluster: inject('cluster') })
  const NAMESPACE = await lab.namespace('examples')
  const applied: string[] = []
  for (const file of ['cluster.yaml', 'workers.yaml', 'gpu-workers.yaml']) {
    const text = await readFile(join(import.meta.dirname, '..', '..', 'examples', 'aws', file), 'utf8')
    const objects = loadAll(fill(text, { ...values, NAMESPACE })) as Manifest[]
    applied.push(...(await lab.apply(objects)).map(({ kind, metadata }) => `${kind} ${metadata.name}`))
  }
  expect(applied).toEqual([
    'Secret example-kubeconfig',
    'Cluster example',
    'AWSCluster example',
    'ExternalControlPlane example',
    'Secret example-spot-bootstrap',
    'AWSMachineTemplate example-spot',
    'MachineDeployment example-spot',
    'AWSMachineTemplate example-gpu',
    'MachineDeployment example-gpu',
  ])
})
