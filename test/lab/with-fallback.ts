import type { LabCloud } from './clouds/cloud.ts'
import type { Manifest } from './objects.ts'

/** The template of the example with fallback to the other type. Other objects stay as they are. */
export function withFallback(manifest: Manifest, { types }: Pick<LabCloud, 'types'>, more: readonly object[] = []) {
  if (!manifest.kind.endsWith('MachineTemplate')) return manifest
  const changed = structuredClone(manifest) as Manifest & { spec: { template: { spec: Record<string, unknown> } } }
  changed.spec.template.spec['fallback'] = [{ [types.field]: [types.other] }, ...more]
  return changed
}
