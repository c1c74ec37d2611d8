import type { Ctx } from '../../api/ctx.ts'
import { CloudError } from '../../api/cloud-error.ts'
import type { Sizes, SizeOfType } from '../../api/rules/capacity/least-capacity.ts'
import type { Scope } from '../../api/scope.ts'
import type { Cloud, NodeSize } from '../../providers/cloud.ts'
import { fallbackOf } from '../capacity/fallback.ts'
import type { MachineTemplate } from './template.ts'

type Spec = MachineTemplate['spec']['template']['spec']

/** What a Node is of each type that machines of this template may be of. The spec's own type comes first. */
export interface TemplateSizes {
  readonly sizes: Sizes
  readonly nodeInfo: NodeSize['nodeInfo']
}

/** Throws `CloudError` as `Cloud.nodeSizeOf` does. */
export async function sizesOf(spec: Spec, cloud: Cloud, scope: Scope, ctx: Ctx): Promise<TemplateSizes> {
  const field = typeFields.find((name) => typeof spec[name] === 'string')
  const own = await cloud.nodeSizeOf(spec, scope, ctx)
  const first = sizeOf(String(field && spec[field]), own)
  const types = field === undefined ? [] : typesOfFallback(spec).filter((type) => type !== spec[field])
  const others = await Promise.all(
    types.map(async (type) => {
      const named = cloud.nodeSizeOf({ ...spec, [field ?? '']: type }, scope, ctx)
      return sizeOf(type, await inFallback(type, named))
    }),
  )
  return { sizes: [first, ...others], nodeInfo: own.nodeInfo }
}

/** As each cloud names its instance types. */
const typeFields = ['instanceType', 'vmSize', 'profile'] as const

function typesOfFallback(spec: Spec): readonly string[] {
  return [...new Set(fallbackOf({ spec }).flatMap(({ instanceTypes = [] }) => instanceTypes))]
}

function sizeOf(instanceType: string, { capacity, nodeInfo: { architecture } }: NodeSize): SizeOfType {
  return { instanceType, capacity, architecture }
}

/** The cloud names the field of the spec, but this type stands elsewhere. */
async function inFallback(type: string, size: Promise<NodeSize>): Promise<NodeSize> {
  try {
    return await size
  } catch (thrown) {
    if (!(thrown instanceof CloudError) || thrown.kind !== 'invalid') throw thrown
    throw new CloudError('invalid', {
      code: thrown.code,
      message: `spec.fallback names ${type}, of which no machine can be. ${thrown.message}`,
      cause: thrown,
    })
  }
}
