import { spotKind } from '../../api/kinds.ts'
import type { CloudEntry } from '../entry.ts'
import { attemptPatterns } from './observe/attempt-patterns.ts'
import { ec2Buckets } from './wire/buckets.ts'
import { quotaClassOf } from './lookups/quota-classes.ts'
import { reachOf } from './wire/errors.ts'

export const aws: CloudEntry = {
  machines: spotKind('AWSMachine'),
  clusters: spotKind('AWSCluster'),
  counting: { buckets: ec2Buckets },
  account: attemptPatterns.account,
  closing: { quotaClassOf, reachOf },
  load: async (settings) => (await import('./cloud.ts')).awsCloud(settings),
  reference: async () => (await import('./reference.ts')).reference,
}
