import type { Permissions } from '../../permissions.ts'
import type { Ec2Action } from './buckets.ts'

/**
 * The actions of IAM for each call. Instances, volumes and network interfaces are tagged by the call that makes them.
 */
export const permissions: Permissions<Ec2Action | 'GetCallerIdentity'> = {
  calls: {
    RunInstances: ['ec2:RunInstances', 'ec2:CreateTags'],
    TerminateInstances: ['ec2:TerminateInstances'],
    DescribeInstances: ['ec2:DescribeInstances'],
    DescribeInstanceStatus: ['ec2:DescribeInstanceStatus'],
    DescribeImages: ['ec2:DescribeImages'],
    DescribeInstanceTypes: ['ec2:DescribeInstanceTypes'],
    DescribeInstanceTypeOfferings: ['ec2:DescribeInstanceTypeOfferings'],
    DescribeSecurityGroups: ['ec2:DescribeSecurityGroups'],
    DescribeSpotInstanceRequests: ['ec2:DescribeSpotInstanceRequests'],
    DescribeSubnets: ['ec2:DescribeSubnets'],
    // Needs no permission.
    GetCallerIdentity: [],
  },
  besides: [
    { when: '`--aws-interruption-queues` is set', needs: ['sqs:ReceiveMessage', 'sqs:DeleteMessage'] },
    { when: '`iamInstanceProfile` is set', needs: ['iam:PassRole'] },
    { when: 'the account has never had a spot instance', needs: ['iam:CreateServiceLinkedRole'] },
    {
      when: 'a volume has an `encryptionKey` of yours',
      needs: ['kms:CreateGrant', 'kms:DescribeKey', 'kms:GenerateDataKeyWithoutPlaintext', 'kms:ReEncrypt*'],
    },
  ],
}
