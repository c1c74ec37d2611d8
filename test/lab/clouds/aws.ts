import { ownerTag } from '../../../providers/aws/observe/ownership.ts'
import type { InstanceView } from '../../simulators/kit/control/instance-control.ts'
import { startAwsSimulator, type AwsSimulator } from '../../simulators/aws/simulator.ts'
import { standardWorld } from '../../simulators/aws/world.ts'
import { awsStrangers } from '../strangers/aws.ts'
import { listed, type LabCloud, type LabCloudOptions, type NoticeQueue } from './cloud.ts'

const theirKey = 'AKIA-of-others-canary'

const queueName = 'interruptions'

const over = new Set(['terminated', 'shutting-down'])

export async function startAws({ ctx, nodes, delays }: LabCloudOptions): Promise<LabCloud> {
  return awsOf(await startAwsSimulator({ ...delays, ...ctx, nodes }))
}

export function awsOf(simulator: AwsSimulator): LabCloud {
  const { url, facts, control } = simulator
  const all = () => control.instances().map(({ id, state, tags }) => ({ id, state, name: nameBy(tags) }))
  const remains = () => listed(control.remains())
  return {
    name: 'aws',
    prefix: 'AWS',
    url,
    control,
    environment: {
      AWS_ENDPOINT_URL_EC2: url,
      AWS_ENDPOINT_URL_STS: url,
      AWS_ENDPOINT_URL_SQS: url,
      AWS_REGION: facts.region,
      AWS_ACCESS_KEY_ID: 'AKIA-of-canary',
      AWS_SECRET_ACCESS_KEY: 'secret-canary',
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
    denyUs() {
      control.acceptKeys({ others: 'not-ours' })
      return () => control.acceptKeys(undefined)
    },
    otherAccount: () => ({
      environment: { AWS_ACCESS_KEY_ID: theirKey },
      theirs: control.addAccount(theirKey),
      ours: standardWorld().accountId,
    }),
    types: { usual: 'm5.large', other: 'm5a.large', field: 'instanceTypes' },
    createAction: 'RunInstances',
    endAction: 'TerminateInstances',
    takenBack: /Server\.SpotInstanceTermination/,
    // A read of one instance is the same call with another filter.
    isList: ({ action, params }) =>
      action === 'DescribeInstances' && !['instance-id', 'client-token'].includes(String(params['Filter.1.Name'])),
    limited: (are) => control.buckets(are ? 'real' : 'none'),
    alive: () => all().filter(({ state }) => !over.has(state)),
    // EC2 shows an instance for an hour after its end.
    bought: () => all().map(({ name }) => name),
    remains,
    leftovers: () => remains().length,
    queue: queueOf(simulator),
    strangers: awsStrangers(simulator),
    close: () => simulator.close(),
  }
}

function nameBy(tags: InstanceView['tags']): string {
  return [tags['Name'], tags[ownerTag], tags['spot.cluster.x-k8s.io/attempt']].filter(Boolean).join('-')
}

/** It gets every event of EC2, and most of them are changes of states. */
function queueOf({ url, control }: AwsSimulator): NoticeQueue {
  const isWarning = (receipt: string) => /Interruption Warning/.test(control.bodyOf(queueName, receipt) ?? '')
  return {
    add() {
      control.addQueue(queueName)
      return `${url}/${standardWorld().accountId}/${queueName}`
    },
    acknowledge: {
      call: 'DeleteMessageBatch',
      isMeant: ({ params }) => receiptsIn(params).some(isWarning),
    },
  }
}

function receiptsIn({ Entries = [] }: { readonly Entries?: unknown }): string[] {
  return (Entries as readonly { readonly ReceiptHandle?: unknown }[]).map(({ ReceiptHandle }) => String(ReceiptHandle))
}
