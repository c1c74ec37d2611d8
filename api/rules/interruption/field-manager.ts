import type { ObjectMeta } from '../../meta.ts'

/** As core's controllers call themselves, such as `capi-machineset`. They apply what stands in a template. */
const ofCore = /^capi-/

interface Managed {
  readonly manager?: string
  readonly fieldsV1?: { readonly 'f:metadata'?: { readonly 'f:annotations'?: Readonly<Record<string, unknown>> } }
}

/**
 * Whether a controller of Cluster API has written this annotation. Core takes an annotation that leaves a template off
 * its Machines one after the other. Until then only the manager of the field tells that no person has asked.
 */
export function isByCore({ managedFields = [] }: Pick<ObjectMeta, 'managedFields'>, annotation: string): boolean {
  return (managedFields as readonly (Managed | null)[]).some((managed) => {
    const annotations = managed?.fieldsV1?.['f:metadata']?.['f:annotations'] ?? {}
    return ofCore.test(managed?.manager ?? '') && `f:${annotation}` in annotations
  })
}
