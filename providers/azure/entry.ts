import { spotKind } from '../../api/kinds.ts'
import type { CloudEntry } from '../entry.ts'
import { attemptPatterns } from './observe/attempt-patterns.ts'
import { armBuckets, leastBursts } from './wire/buckets.ts'
import { quotaClassOf } from './lookups/quota-classes.ts'
import { reachOf } from './wire/errors.ts'

export const azure: CloudEntry = {
  machines: spotKind('AzureMachine'),
  clusters: spotKind('AzureCluster'),
  counting: { buckets: armBuckets, leastBursts },
  account: attemptPatterns.account,
  closing: { quotaClassOf, reachOf },
  load: async (settings) => (await import('./cloud.ts')).azureCloud(settings),
  reference: async () => (await import('./reference.ts')).reference,
}
