import type { InterruptionPolicy } from '../../../api/generated/interruption-policy.ts'
import { interruptionPolicies } from '../../../api/kinds.ts'
import { clusterKeyOfSpec } from '../../remediation/index-key.ts'
import type { Reflection } from '../../runtime/cache/cache.ts'
import { cacheOf } from '../cache-of.ts'
import type { Common } from '../common.ts'
import { projectPolicy } from '../projections.ts'

/** With the index `cluster`. The remediation part runs it, and the interruption part follows it. */
export function policiesOf(shared: Common): Reflection<InterruptionPolicy> {
  return cacheOf(interruptionPolicies, { project: projectPolicy, indexes: { cluster: clusterKeyOfSpec } }, shared)
}
