import type { AWSMachineSpec } from '../../api/generated/aws-machine.ts'
import type { Cloud, CloudSettings } from '../cloud.ts'
import { attemptPatterns } from './attempt-patterns.ts'
import { capacityOf } from './capacity.ts'
import { Ec2 } from './client.ts'
import { understood } from '../understood.ts'
import { AwsInstances } from './instances.ts'
import { Lookups } from './lookups.ts'
import { plan } from './plan.ts'
import { providerIDOf } from './provider-id.ts'
import { failureDomainsOf } from './subnets.ts'
import { clusterSpec, scopeOf } from './wanted.ts'

export function awsCloud(settings: CloudSettings = {}): Cloud {
  const ec2 = new Ec2(settings)
  const lookups = new Lookups(ec2)
  return {
    name: 'aws',
    attemptPatterns,
    instances: understood(new AwsInstances(ec2)),
    scopeOf,
    accountOf: (scope, ctx) => ec2.accountOf(scope, ctx),
    // EC2 shows what has ended for an hour.
    vanishesWhenTaken: () => false,
    nameOf: () => undefined,
    providerIDOf,
    failureDomainsOf: (cluster) => failureDomainsOf(clusterSpec(cluster)),
    plan: (wanted, ctx) => plan(wanted, lookups, ctx),
    capacityOf: (spec, scope, ctx) => capacityOf(spec as unknown as AWSMachineSpec, lookups, scope, ctx),
  }
}
