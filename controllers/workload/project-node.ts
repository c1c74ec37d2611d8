import { spotGroup } from '../../api/kinds.ts'
import { nodeLabels } from '../../api/labels.ts'
import type { Node, NodeCondition, Taint } from '../../api/machine.ts'
import type { KubeObject } from '../../api/meta.ts'
import { noticeConditions, noticeTaints } from '../../api/rules/interruption/node-notice.ts'

/** A longer text is dropped, not cut: a part of a text would keep all of it in memory. */
export const longestName = 253
/** A providerID of Azure has several names in it. */
const longestId = 512
const longestMessage = 512
const longest = 64

const labelKeys: readonly string[] = Object.values(nodeLabels)

type Raw = Readonly<Record<string, unknown>>

/**
 * Keeps of a Node what somebody reads: some hundred bytes, and never more than 8 KiB. Whatever a workload cluster
 * sends, the result has the shape of a Node.
 */
export function projectNode(raw: KubeObject): Node {
  const { metadata, spec, status } = raw as unknown as Raw
  return { metadata: metaOf(recordOf(metadata)), spec: specOf(recordOf(spec)), status: statusOf(recordOf(status)) }
}

function metaOf(raw: Raw): Node['metadata'] {
  const all = recordOf(raw['labels'])
  const labels = Object.assign({}, ...labelKeys.map((key) => text(key, all))) as Record<string, string>
  return {
    name: '',
    ...text('name', raw, longestName),
    ...text('uid', raw),
    ...text('resourceVersion', raw),
    ...text('deletionTimestamp', raw),
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
  }
}

function specOf(raw: Raw): Required<Node>['spec'] {
  const taints = firstOfEach(listOf(raw['taints']).flatMap(taintOf), ({ key }) => key)
  return {
    ...text('providerID', raw, longestId),
    ...(raw['unschedulable'] === true ? { unschedulable: true } : {}),
    ...(taints.length > 0 ? { taints } : {}),
  }
}

function statusOf(raw: Raw): Required<Node>['status'] {
  const conditions = firstOfEach(listOf(raw['conditions']).flatMap(conditionOf), ({ type }) => type)
  return conditions.length > 0 ? { conditions } : {}
}

/** The taints that announce something, and ours. */
function taintOf(raw: Raw): Taint[] {
  const { key, effect } = { ...text('key', raw), ...text('effect', raw) }
  if (key === undefined || effect === undefined) return []
  if (!noticeTaints.has(key) && key !== ourTaint) return []
  return [{ key, effect, ...text('value', raw), ...text('timeAdded', raw) }]
}

/** Its writer is `controllers/node`. */
const ourTaint = `${spotGroup}/interrupted`

function conditionOf(raw: Raw): NodeCondition[] {
  const { type, status } = { ...text('type', raw), ...text('status', raw) }
  if (type === undefined || status === undefined || !noticeConditions.has(type)) return []
  const more = { ...text('reason', raw), ...text('message', raw, longestMessage), ...text('lastTransitionTime', raw) }
  return [{ type, status, ...more }]
}

/** The API server allows one condition of each type. */
function firstOfEach<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const seen = new Map<string, T>()
  for (const one of all) if (!seen.has(keyOf(one))) seen.set(keyOf(one), one)
  return [...seen.values()]
}

/** The field, if it is a text of bounded length. */
function text<Key extends string>(key: Key, from: Raw, most = longest): Partial<Record<Key, string>> {
  const value = from[key]
  const isKept = typeof value === 'string' && value.length <= most
  return (isKept ? { [key]: value } : {}) as Partial<Record<Key, string>>
}

function recordOf(value: unknown): Raw {
  return typeof value === 'object' && value !== null ? (value as Raw) : {}
}

function listOf(value: unknown): Raw[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}
