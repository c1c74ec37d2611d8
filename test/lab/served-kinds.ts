import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../api/ctx.ts'
import type { Resource } from '../../api/meta.ts'
import { ApiError } from '../../controllers/runtime/client/api-error.ts'
import type { KubeClient } from '../../controllers/runtime/client/client.ts'
import type { Manifest } from './objects.ts'

/** The fields of a CustomResourceDefinition that we read. */
type Definition = Manifest & {
  spec: {
    group: string
    scope: string
    names: { kind: string; plural: string }
    versions: { name: string; served: boolean }[]
  }
}

const patienceMs = 180_000

/** Every kind that these manifests define, in each served version. */
export function servedKinds(manifests: readonly Manifest[]): Resource[] {
  return manifests.filter(isDefinition).flatMap(({ spec: { group, scope, names, versions } }) => {
    const { kind, plural } = names
    const namespaced = scope === 'Namespaced'
    const served = versions.filter((version) => version.served)
    return served.map(({ name: version }) => ({ group, version, plural, kind, namespaced }))
  })
}

function isDefinition(manifest: Manifest): manifest is Definition {
  return manifest.kind === 'CustomResourceDefinition'
}

/**
 * Waits until each of these kinds can be listed. The condition Established is not enough: the API server creates the
 * storage of a kind with the first request, and answers 429 until it is filled.
 */
export async function untilListed(kinds: readonly Resource[], client: KubeClient, ctx: Ctx): Promise<void> {
  await Promise.all(kinds.map((kind) => oneListed(kind, client, ctx)))
}

async function oneListed(kind: Resource, client: KubeClient, ctx: Ctx): Promise<void> {
  for (const began = performance.now(); ; await sleep(50)) {
    try {
      // Version 0: from the API server's cache, which every watch needs as well.
      await client.list(kind, { resourceVersion: '0' }, ctx)
      return
    } catch (error) {
      const notYet = error instanceof ApiError && (error.status === 429 || error.status === 404)
      if (notYet && performance.now() - began < patienceMs) continue
      throw new Error(`${kind.kind} (${kind.group}/${kind.version}) cannot be listed: ${String(error)}`, {
        cause: error,
      })
    }
  }
}
