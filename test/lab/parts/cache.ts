import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { startProgress } from '../../../scripts/progress.mjs'
import { kubeControllers, kubernetesVersion, recipes, type PartName } from './recipes.ts'

const arch = process.arch === 'x64' ? 'amd64' : process.arch
const unfinished = '.unfinished-'

/** A folder of the cache is complete or does not exist. */
export function folderOf(cache: string, name: string, version: string): string {
  return path.join(cache, `${name}-${version}-${arch}`)
}

/** The folder of downloaded etcd and kube-apiserver. */
export function readyMadeFolder(cache: string): string {
  return folderOf(cache, 'envtest', kubernetesVersion)
}

/** The path of a part's program, and whether it exists. */
export function cachedProgram(cache: string, name: PartName): { program: string; there: boolean } {
  const readyMade = path.join(readyMadeFolder(cache), name)
  if (existsSync(readyMade)) return { program: readyMade, there: true }
  const version = [...recipes, ...kubeControllers].find((recipe) => recipe.name === name)?.version ?? ''
  const program = path.join(folderOf(cache, name, version), name)
  return { program, there: existsSync(program) }
}

/** Fills a folder of the cache under another name, renames it when it is complete, and shows the progress. */
export async function fillFolder(
  folder: string,
  what: string,
  fill: (into: string, say: (detail: string) => void) => Promise<void>,
): Promise<void> {
  const into = await mkdtemp(path.join(path.dirname(folder), unfinished))
  const progress = startProgress(what)
  try {
    await fill(into, (detail) => progress.say(detail))
    await rename(into, folder)
    progress.done()
  } catch (error) {
    progress.failed()
    throw error
  } finally {
    // An aborted process may still be writing.
    await rm(into, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

/** Removes the incomplete folders of killed processes. Only for the holder of the lock. */
export async function sweepUnfinished(cache: string): Promise<void> {
  const names = (await readdir(cache)).filter((name) => name.startsWith(unfinished))
  await Promise.all(names.map((name) => rm(path.join(cache, name), { recursive: true, force: true })))
}
