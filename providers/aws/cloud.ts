import type { Ctx } from '../../api/ctx.ts'
import type { AWSClusterSpec } from '../../api/generated/aws-cluster.ts'
import type { AWSMachineSpec } from '../../api/generated/aws-machine.ts'
import type { Cloud, CloudSettings } from '../cloud.ts'
import { attemptPatterns } from './observe/attempt-patterns.ts'
import { nodeSizeOf } from './lookups/node-size.ts'
import { Ec2 } from './wire/client.ts'
import { awsInstances } from './instances.ts'
import { Lookups } from './lookups/lookups.ts'
import { noticeQueue } from './notices/queue.ts'
import { spotRequests } from './notices/spot-requests.ts'
import { statusEvents } from './notices/status-events.ts'
import { awsOfferings } from './launch/offerings.ts'
import { plan } from './launch/plan.ts'
import { providerIDOf } from './observe/provider-id.ts'
import { failureDomainsOf, scopeOf } from './launch/wanted.ts'

export function awsCloud(settings: CloudSettings = {}): Cloud<AWSMachineSpec, AWSClusterSpec> {
  const ec2 = new Ec2(settings)
  const lookups = new Lookups(ec2)
  return {
    name: 'aws',
    attemptPatterns,
    instances: awsInstances(ec2),
    notices: [spotRequests(ec2), statusEvents(ec2)],
    noticeQueue(url) {
      const ownAccount = (region: string, ctx: Ctx) => ec2.accountOf({ cloud: 'aws', identity: 'default', region }, ctx)
      return noticeQueue(url, ownAccount, settings)
    },
    scopeOf,
    accountOf: (scope, ctx) => ec2.accountOf(scope, ctx),
    // EC2 shows an instance for an hour after its end.
    vanishesWhenTaken: () => false,
    nameOf: () => undefined,
    providerIDOf,
    failureDomainsOf: ({ spec }) => failureDomainsOf(spec),
    plan: (wanted, ctx) => plan(wanted, lookups, ctx),
    offerings: awsOfferings(lookups),
    nodeSizeOf: (spec, scope, ctx) => nodeSizeOf(spec, lookups, scope, ctx),
  }
}
