import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../scripts/cache-folder.mjs'
import { withLock } from '../../scripts/lock.mjs'
import { buildPart } from './parts/build.ts'
import { fillFolder, folderOf, readyMadeFolder } from './parts/cache.ts'
import { kubectl as recipe } from './parts/recipes.ts'

/**
 * A real kubectl: named by the environment (as envtest has it), of envtest's download, the user's own, or built from
 * source like the other parts. Only what people type into a shell needs it, so it is no part of every lab.
 */
export async function findKubectl(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const cache = cacheFolder()
  const folder = folderOf(cache, 'kubectl', recipe.version)
  const built = path.join(folder, 'kubectl')
  const there = [
    env['TEST_ASSET_KUBECTL'],
    env['KUBEBUILDER_ASSETS'] && path.join(env['KUBEBUILDER_ASSETS'], 'kubectl'),
    path.join(readyMadeFolder(cache), 'kubectl'),
    built,
    ...(env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, 'kubectl')),
  ].find((program) => program && existsSync(program))
  if (there) return there
  await mkdir(cache, { recursive: true })
  await withLock(path.join(cache, 'locks', 'parts'), async () => {
    if (existsSync(built)) return
    const what = `Building kubectl ${recipe.version} (about ${recipe.about})`
    await fillFolder(folder, what, (into, say) => buildPart(recipe, { into, env, say }))
  })
  return built
}

/** Where commands are run: the cluster that kubectl leads to, and further variables. */
export interface Shell {
  readonly kubeconfig: string
  /** Files are written here. */
  readonly folder: string
  readonly variables?: Readonly<Record<string, string>>
}

/**
 * Runs what a person would type, with a real kubectl and nothing of this user's own settings; answers with its stdout.
 */
export async function typed(commands: string, { kubeconfig, folder, variables = {} }: Shell): Promise<string> {
  const kubectl = await findKubectl()
  const env = {
    PATH: [path.dirname(kubectl), process.env['PATH']].join(path.delimiter),
    HOME: folder,
    KUBECONFIG: kubeconfig,
    ...variables,
  }
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', commands], { cwd: folder, env })
  return stdout
}
