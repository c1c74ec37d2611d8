import { startAwsSimulator, type AwsSimulator } from '../../simulators/aws/simulator.ts'
import type { LabCloud, LabCloudOptions } from './cloud.ts'

const over = new Set(['terminated', 'shutting-down'])

export async function startAws({ ctx, nodes, delays }: LabCloudOptions): Promise<LabCloud> {
  return awsOf(await startAwsSimulator({ ...delays, ...ctx, nodes }))
}

export function awsOf(simulator: AwsSimulator): LabCloud {
  const { url, facts, control } = simulator
  const alive = () => control.instances().filter(({ state }) => !over.has(state))
  return {
    name: 'aws',
    prefix: 'AWS',
    url,
    control,
    environment: {
      AWS_ENDPOINT_URL_EC2: url,
      AWS_REGION: facts.region,
      AWS_ACCESS_KEY_ID: 'lab',
      AWS_SECRET_ACCESS_KEY: 'lab',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    values: {
      AWS_REGION: facts.region,
      AWS_VPC_ID: facts.vpc,
      AWS_SUBNET_ID: facts.subnet,
      AWS_AVAILABILITY_ZONE: facts.subnets.find(({ id }) => id === facts.subnet)?.availabilityZone ?? '',
      AWS_SECURITY_GROUP_ID: facts.securityGroup,
      AWS_AMI_ID: facts.image,
    },
    createAction: 'RunInstances',
    pollAction: 'DescribeInstances',
    takenBack: /Server\.SpotInstanceTermination/,
    limited: (are) => control.buckets(are ? 'real' : 'none'),
    alive,
    // Disks and network interfaces go with their instance: EC2 was told so when it was made.
    leftovers: () => alive().length,
    close: () => simulator.close(),
  }
}
