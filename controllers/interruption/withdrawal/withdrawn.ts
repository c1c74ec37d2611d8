import type { Interruption } from '../../../api/interruption.ts'
import { isOfNode } from '../../../api/rules/interruption/node-notice.ts'
import type { InterruptionDeps } from '../deps.ts'
import type { Scene } from '../scene.ts'

/** Whether the source of the decision has taken its notice back, as far as this process has heard. */
export function isWithdrawn(
  { key, scope }: Pick<Scene, 'key' | 'scope'>,
  decided: Interruption,
  { notices, shown }: Pick<InterruptionDeps, 'notices' | 'shown'>,
): boolean {
  if (isOfNode(decided)) return notices.isWithdrawn(key)
  return scope !== undefined && shown.isWithdrawn(decided, scope)
}
