import { spotKind } from '../../api/kinds.ts'
import type { CloudEntry } from '../entry.ts'
import { attemptPatterns } from './observe/attempt-patterns.ts'
import { gceBuckets } from './wire/buckets.ts'
import { quotaClassOf } from './lookups/quota-classes.ts'

export const gcp: CloudEntry = {
  machines: spotKind('GCPMachine'),
  clusters: spotKind('GCPCluster'),
  counting: { buckets: gceBuckets },
  account: attemptPatterns.account,
  closing: { quotaClassOf, reachOf: () => 'offering' },
  load: async (settings) => (await import('./cloud.ts')).gcpCloud(settings),
  reference: async () => (await import('./reference.ts')).reference,
}
