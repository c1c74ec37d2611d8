import type { Condition } from '../../api/conditions.ts'
import { spotKind } from '../../api/kinds.ts'
import type { KubeObject, ObjectMeta, Resource } from '../../api/meta.ts'

/** The fields that all kinds of machine template have. */
export interface MachineTemplate extends KubeObject {
  metadata: ObjectMeta & { namespace: string }
  spec: { template: { spec: Readonly<Record<string, unknown>> } }
  status?: {
    capacity?: Record<string, string>
    nodeInfo?: { architecture?: string; operatingSystem?: string }
    conditions?: Condition[]
  }
}

export function templateKind(machines: Resource): Resource {
  return spotKind(`${machines.kind}Template`)
}

export function projectTemplate(raw: KubeObject): MachineTemplate {
  const { apiVersion, kind, metadata, spec, status } = raw as MachineTemplate
  const { managedFields: _, ...kept } = metadata
  return {
    ...(apiVersion ? { apiVersion } : {}),
    ...(kind ? { kind } : {}),
    metadata: kept,
    spec,
    ...(status ? { status } : {}),
  }
}
