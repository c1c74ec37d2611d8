import { RunInstancesCommand } from '@aws-sdk/client-ec2'
import { ec2Client, usualLaunch } from '../simulators/aws/fixture.ts'
import type { AwsSimulator } from '../simulators/aws/simulator.ts'

/** An instance that another management cluster made in the same account, for a machine that is called the same there. */
export async function launchStranger(aws: AwsSimulator, machine: string): Promise<string> {
  return launchLike(aws, machine, { 'spot.cluster.x-k8s.io/owner-id': 'somebody-else' })
}

/** An instance with the tags of this machine's, but for some. */
export async function launchLike(aws: AwsSimulator, machine: string, others: Record<string, string>): Promise<string> {
  const client = ec2Client(aws)
  try {
    const model = aws.control.instances().find(({ tags }) => tags['Name'] === machine)
    const Tags = Object.entries({ ...model?.tags, ...others }).map(([Key, Value]) => ({ Key, Value }))
    const TagSpecifications = [{ ResourceType: 'instance' as const, Tags }]
    const { Instances } = await client.send(new RunInstancesCommand({ ...usualLaunch(aws), TagSpecifications }))
    return Instances?.[0]?.InstanceId ?? ''
  } finally {
    client.destroy()
  }
}
