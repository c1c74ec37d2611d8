import {
  RunInstancesCommand,
  TerminateInstancesCommand,
  type RunInstancesCommandInput,
  type Tag,
} from '@aws-sdk/client-ec2'
import { ownershipTags } from '../../../providers/aws/observe/ownership.ts'
import type { Launch } from '../../../providers/instances.ts'
import type { Ownership } from '../../../api/ownership.ts'
import { ec2Client, usualLaunch } from '../../simulators/aws/fixture.ts'
import type { AwsSimulator } from '../../simulators/aws/simulator.ts'
import type { Strangers } from './strangers.ts'

export function awsStrangers(simulator: AwsSimulator): Strangers {
  const run = async (Tags: Tag[], over: Partial<RunInstancesCommandInput> = {}) => {
    using client = closing(simulator)
    const TagSpecifications = [
      { ResourceType: 'instance' as const, Tags },
      { ResourceType: 'volume' as const, Tags },
    ]
    const launch = { ...usualLaunch(simulator), TagSpecifications, ...over }
    const { Instances } = await client.ec2.send(new RunInstancesCommand(launch))
    return Instances?.[0]?.InstanceId ?? ''
  }
  return {
    instance: (whose) => run(tagsOf(whose), clientTokenFor(whose, simulator)),
    copy: (whose) => run(tagsOf(whose)),
    byHand: (name) => run([{ Key: 'Name', Value: name }]),
    async leftovers(whose) {
      const kept = { DeviceName: '/dev/sda1', Ebs: { VolumeSize: 20, DeleteOnTermination: false } }
      const id = await run(tagsOf(whose), { BlockDeviceMappings: [kept] })
      using client = closing(simulator)
      await client.ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }))
    },
  }
}

/** EC2 creates one instance for a token. Beside the instance of this attempt there can only be a copy of it. */
function clientTokenFor({ token }: Ownership, { control }: AwsSimulator): Partial<RunInstancesCommandInput> {
  return control.instances().some(({ clientToken }) => clientToken === token) ? {} : { ClientToken: token }
}

function tagsOf(whose: Ownership) {
  return ownershipTags({ ...whose, clusterName: 'c1' } as Launch, {})
}

function closing(simulator: AwsSimulator) {
  const ec2 = ec2Client(simulator)
  return { ec2, [Symbol.dispose]: () => ec2.destroy() }
}
