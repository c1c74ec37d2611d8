import type { KubeObject, ObjectMeta, Resource } from '../../../../api/meta.ts'

export const pods: Resource = { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true }

/** The reason in the status of a Pod whose `endsAfter` cannot be followed. */
export const badAnnotation = 'BadAnnotation'

/** How long the containers of a Pod take to end after SIGTERM, such as `3s`. Left out: they ignore it. */
export const endsAfter = 'lab.invalid/ends-after'

/** The fields of a Pod that a kubelet reads. */
export interface Pod extends KubeObject {
  readonly metadata: ObjectMeta & { readonly deletionGracePeriodSeconds?: number }
  readonly spec: {
    readonly nodeName?: string
    readonly containers: readonly { readonly name: string; readonly image: string }[]
  }
  readonly status?: {
    readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
    readonly reason?: string
    readonly startTime?: string
  }
}

/** The copy in the API of a static Pod, which comes from a file of the machine. */
export function isMirror({ metadata }: Pod): boolean {
  return metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined
}
