import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { loadAll } from 'js-yaml'
import { expect, inject, test } from 'vitest'
import { fill } from '../support/fill.ts'
import { labCloudNames } from '../lab/clouds/start.ts'
import { startLab } from '../lab/lab.ts'
import type { Manifest } from '../lab/objects.ts'

const values = {
  CLUSTER_NAME: 'example',
  CONTROL_PLANE_HOST: 'control-plane.example.com',
  WORKLOAD_KUBECONFIG_B64: Buffer.from('{}').toString('base64'),
  JOIN_TOKEN: 'abcdef.0123456789abcdef',
  CA_CERT_HASH: 'sha256:00',
  KUBERNETES_VERSION: 'v1.36.3',
  WORKER_MACHINE_COUNT: '0',
}

test.each(labCloudNames)('core accepts the examples of %s as they are', async (name) => {
  await using lab = await startLab({ cluster: inject('cluster'), clouds: [name] })
  const cloud = lab.clouds.find((one) => one.name === name)
  const { AWS_AMI_ID, AZURE_IMAGE_ID, GCP_IMAGE_ID, IBM_IMAGE_ID, ...others } = cloud?.values ?? {}
  const image = AWS_AMI_ID ?? AZURE_IMAGE_ID ?? GCP_IMAGE_ID ?? IBM_IMAGE_ID ?? ''
  const images: string[][] = ['AWS_AMI_ID', 'AZURE_IMAGE_ID', 'GCP_IMAGE_ID', 'IBM_IMAGE_ID'].flatMap((one) => [
    [one, image],
    [one.replace('_', '_GPU_'), image],
  ])
  const filled = {
    ...values,
    ...others,
    ...(Object.fromEntries(images) as Record<string, string>),
    NAMESPACE: await lab.namespace('examples'),
  }
  const applied: string[] = []
  for (const file of ['cluster.yaml', 'workers.yaml', 'gpu-workers.yaml']) {
    const text = await readFile(path.join(import.meta.dirname, '..', '..', 'examples', name, file), 'utf8')
    const objects = loadAll(fill(text, filled)) as Manifest[]
    applied.push(...(await lab.apply(objects)).map(({ kind, metadata }) => `${kind} ${metadata.name}`))
  }
  expect(applied).toEqual([
    'Secret example-kubeconfig',
    'Cluster example',
    `${cloud?.prefix}Cluster example`,
    'ExternalControlPlane example',
    'Secret example-spot-bootstrap',
    `${cloud?.prefix}MachineTemplate example-spot`,
    'MachineDeployment example-spot',
    `${cloud?.prefix}MachineTemplate example-gpu`,
    'MachineDeployment example-gpu',
  ])
})
