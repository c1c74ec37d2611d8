import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startGcpSimulator } from '../../simulators/gcp/simulator.ts'
import { gcpStrangers } from '../strangers/gcp.ts'
import { boughtBy, listed, type LabCloud, type LabCloudOptions } from './cloud.ts'

export async function startGcp({ ctx, nodes, folder, delays }: LabCloudOptions): Promise<LabCloud> {
  const simulator = await startGcpSimulator({ ...delays, ...ctx, nodes })
  const { url, facts, control } = simulator
  const remains = () => listed(control.remains())
  const createAction = 'instances.insert'
  const keyFile = path.join(folder, 'gcp-key.json')
  const key = control.serviceAccountKey()
  await writeFile(keyFile, JSON.stringify(key), { mode: 0o600 })
  return {
    name: 'gcp',
    prefix: 'GCP',
    url,
    control,
    environment: { CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE: url, GOOGLE_APPLICATION_CREDENTIALS: keyFile },
    secrets: key.private_key.split('\n').filter((line) => line !== '' && !line.startsWith('--')),
    values: {
      GCP_PROJECT: facts.project,
      GCP_REGION: facts.region,
      GCP_NETWORK_NAME: facts.network,
      GCP_SUBNET_NAME: facts.subnet.split('/').at(-1) ?? '',
      GCP_IMAGE_ID: facts.image,
    },
    // The file does not hold a key. It is read again after each refusal.
    denyUs() {
      writeFileSync(keyFile, JSON.stringify({ ...key, private_key: 'no-key-but-a-canary' }))
      return () => writeFileSync(keyFile, JSON.stringify(key))
    },
    takenBack: /compute\.instances\.preempted/,
    types: { usual: 'e2-standard-4', other: 'n2-standard-4', field: 'instanceTypes' },
    createAction,
    endAction: 'instances.delete',
    isList: ({ action }) => action === 'instances.aggregatedList',
    refuseLater: () => control.noCapacity(),
    limited: (are) => control.buckets(are ? 'real' : 'none'),
    alive: () => control.instances(),
    bought: () => boughtBy({ control, createAction }, 'name'),
    remains,
    leftovers: () => remains().length,
    strangers: gcpStrangers(simulator),
    close: () => simulator.close(),
  }
}
