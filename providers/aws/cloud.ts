import type { AWSClusterSpec } from '../../api/generated/aws-cluster.ts'
import type { Cloud } from '../cloud.ts'
import { Ec2 } from './client.ts'
import { AwsInstances } from './instances.ts'
import { plan } from './request.ts'

export function awsCloud(): Cloud {
  return {
    name: 'aws',
    instances: new AwsInstances(new Ec2()),
    scopeOf: (cluster) => ({
      cloud: 'aws',
      identity: 'default',
      region: (cluster.spec as unknown as AWSClusterSpec).region,
    }),
    plan,
  }
}
