import { spotKind } from '../../api/kinds.ts'
import type { CloudEntry } from '../entry.ts'
import { attemptPatterns } from './observe/attempt-patterns.ts'
import { ibmBuckets } from './wire/buckets.ts'
import { quotaClassOf } from './lookups/quota-classes.ts'

export const ibm: CloudEntry = {
  machines: spotKind('IBMMachine'),
  clusters: spotKind('IBMCluster'),
  counting: { buckets: ibmBuckets },
  account: attemptPatterns.account,
  closing: { quotaClassOf, reachOf: () => 'offering' },
  load: async (settings) => (await import('./cloud.ts')).ibmCloud(settings),
  reference: async () => (await import('./reference.ts')).reference,
}
