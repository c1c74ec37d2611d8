import { nodeLabels, outOfService } from '../labels.ts'
import type { Node, Taint } from '../machine.ts'
import { offeringKey, type Offering } from '../offering.ts'

/** What a Node should carry because of its instance. Labels and taints that are not named here stay as they are. */
export interface WantedNode {
  /** A Node with another providerID is another instance, and is not written. */
  readonly providerID: string
  readonly labels: Readonly<Record<string, string>>
  /** True: the Node has an out-of-service taint. False: it does not have ours; another's stays. */
  readonly isOutOfService: boolean
}

/** The merge patch of a Node. The API server refuses it if the Node has changed since it was read. */
export interface NodePatch {
  readonly metadata: {
    readonly resourceVersion: string | undefined
    readonly labels?: Readonly<Record<string, string>>
  }
  readonly spec?: { readonly taints: readonly Taint[] }
}

/** The labels say what was bought. An instance that runs is in service, even if it was off before. */
export function wantedWhileRunning(providerID: string, offering: Offering): WantedNode {
  const labels = {
    [nodeLabels.capacityType]: offering.capacityType,
    [nodeLabels.instanceType]: offering.instanceType,
    // A label value ends with a letter or a digit, and not every instance has a zone.
    [nodeLabels.pool]: offeringKey(offering).replaceAll(':', '.').replace(/\.$/, ''),
    ...(offering.capacityType === 'Spot' ? { [nodeLabels.interruptible]: '' } : {}),
  }
  return { providerID, labels, isOutOfService: false }
}

/** Only for an instance that the cloud shows as off: an instance that still runs still writes to its volumes. */
export function wantedWhileOff(providerID: string): WantedNode {
  return { providerID, labels: {}, isOutOfService: true }
}

/** The one patch that brings the Node to what is wanted. Undefined: nothing is missing, or it is another instance. */
export function nodePatch({ metadata, spec }: Node, wanted: WantedNode): NodePatch | undefined {
  if (spec?.providerID !== wanted.providerID) return undefined
  const isLabelled = Object.entries(wanted.labels).every(([key, value]) => metadata.labels?.[key] === value)
  const taints = changedTaints(spec.taints ?? [], wanted.isOutOfService)
  if (isLabelled && !taints) return undefined
  const { resourceVersion } = metadata
  return {
    metadata: { resourceVersion, ...(isLabelled ? {} : { labels: wanted.labels }) },
    ...(taints ? { spec: { taints } } : {}),
  }
}

/** Undefined: the taints are as wanted. Kubernetes looks at the key alone; the value says that the taint is ours. */
function changedTaints(taints: readonly Taint[], isOutOfService: boolean): readonly Taint[] | undefined {
  if (isOutOfService) {
    return taints.some(({ key }) => key === outOfService.key) ? undefined : [...taints, outOfService]
  }
  const others = taints.filter(({ key, value }) => key !== outOfService.key || value !== outOfService.value)
  return others.length === taints.length ? undefined : others
}
