import { annotations } from '../../api/labels.ts'
import type { KubeObject } from '../../api/meta.ts'

/** The fields that the version before does not know. It keeps what stands there, and writes none of its own. */
const unknown = ['choice', 'tried', 'triedCount', 'firstRefusedAt', 'invalid', 'left'] as const

type Fields = Record<string, unknown>

/** A patch as the version before `choice` would write it, on the object as it stands. */
export function asOlderVersion(patch: object, standing: KubeObject | undefined): object {
  const { metadata } = patch as { metadata?: { annotations?: Record<string, string | null> } }
  const text = metadata?.annotations?.[annotations.attempt]
  if (typeof text !== 'string') return patch
  const before = fieldsOf(standing?.metadata.annotations?.[annotations.attempt])
  const kept = unknown.flatMap((field) => (before[field] === undefined ? [] : [[field, before[field]] as const]))
  const { refused, ...own } = fieldsOf(text)
  for (const field of unknown) delete own[field]
  const attempt = { ...own, ...Object.fromEntries(kept), ...(refused ? { refused: withoutTime(refused) } : {}) }
  const noted = { ...metadata?.annotations, [annotations.attempt]: JSON.stringify(attempt) }
  return { ...patch, metadata: { ...metadata, annotations: noted } }
}

function withoutTime(refused: unknown): object {
  const { at: _, ...older } = refused as Fields
  return older
}

function fieldsOf(text: string | undefined): Fields {
  try {
    return (JSON.parse(text ?? '{}') ?? {}) as Fields
  } catch {
    return {}
  }
}
