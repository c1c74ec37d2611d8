import type { KubeObject } from '../../api/meta.ts'

/** The Cluster that an object names in its spec, for indexes. */
export function clusterKeyOfSpec(object: KubeObject & { spec: { clusterName: string } }): string[] {
  return [`${object.metadata.namespace}/${object.spec.clusterName}`]
}
