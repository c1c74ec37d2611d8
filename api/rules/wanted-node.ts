import { excludeFromLoadBalancers, interrupted, nodeLabels, outOfService } from '../labels.ts'
import type { Node, Taint } from '../machine.ts'
import { offeringKey, type Offering } from '../offering.ts'

/** The wanted labels and taints of a Node, because of its instance. All others stay as they are. */
export interface WantedNode {
  /** A Node with another providerID is another instance, and is not written. */
  readonly providerID: string
  readonly labels: Readonly<Record<string, string>>
  /** True: the Node has an out-of-service taint. False: it does not have ours; another's stays. */
  readonly isOutOfService: boolean
  /** True: no further Pods are placed there. Undefined: that stays as it is. */
  readonly isInterrupted?: boolean
}

/** The merge patch of a Node. The API server refuses it if the Node has changed since it was read. */
export interface NodePatch {
  readonly metadata: {
    readonly resourceVersion: string | undefined
    readonly labels?: Readonly<Record<string, string>>
  }
  readonly spec?: { readonly taints: readonly Taint[] }
}

/** What a notice means for the Node. */
export interface NodeNotice {
  readonly isInterrupted: boolean
  /** Its Pods are leaving. */
  readonly isDraining: boolean
}

const noNotice: NodeNotice = { isInterrupted: false, isDraining: false }

/** The labels tell the offering as bought. An instance that runs is in service, even if it was off before. */
export function wantedWhileRunning(
  providerID: string,
  offering: Offering,
  { isInterrupted, isDraining } = noNotice,
): WantedNode {
  const labels = {
    [nodeLabels.capacityType]: offering.capacityType,
    [nodeLabels.instanceType]: offering.instanceType,
    // A label value ends with a letter or a digit, and not every instance has a zone.
    [nodeLabels.pool]: offeringKey(offering).replaceAll(':', '.').replace(/\.$/, ''),
    ...(offering.capacityType === 'Spot' ? { [nodeLabels.interruptible]: '' } : {}),
    ...(isDraining ? { [excludeFromLoadBalancers]: '' } : {}),
  }
  return { providerID, labels, isOutOfService: false, isInterrupted }
}

/** Only for an instance that the cloud shows as off: an instance that still runs still writes to its volumes. */
export function wantedWhileOff(providerID: string): WantedNode {
  return { providerID, labels: {}, isOutOfService: true }
}

/** The one patch that makes the Node as wanted. Undefined: nothing is missing, or it is another instance. */
export function nodePatch({ metadata, spec }: Node, wanted: WantedNode): NodePatch | undefined {
  if (spec?.providerID !== wanted.providerID) return undefined
  const isLabelled = Object.entries(wanted.labels).every(([key, value]) => metadata.labels?.[key] === value)
  const taints = changedTaints(spec.taints ?? [], wanted)
  if (isLabelled && !taints) return undefined
  const { resourceVersion } = metadata
  return {
    metadata: { resourceVersion, ...(isLabelled ? {} : { labels: wanted.labels }) },
    ...(taints ? { spec: { taints } } : {}),
  }
}

/** Undefined: the taints are as wanted. */
function changedTaints(before: readonly Taint[], wanted: WantedNode): readonly Taint[] | undefined {
  const { isOutOfService, isInterrupted } = wanted
  const served = withTaint(before, outOfService, isOutOfService)
  const after = isInterrupted === undefined ? served : withTaint(served, interrupted, isInterrupted)
  return after === before ? undefined : after
}

/** Kubernetes looks at the key alone; the value says that the taint is ours. The same list if nothing is to change. */
function withTaint(taints: readonly Taint[], taint: Taint, isWanted: boolean): readonly Taint[] {
  if (isWanted) return taints.some(({ key }) => key === taint.key) ? taints : [...taints, taint]
  const others = taints.filter(({ key, value }) => key !== taint.key || value !== taint.value)
  return others.length === taints.length ? taints : others
}
