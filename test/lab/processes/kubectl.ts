import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../../scripts/cache-folder.mjs'
import { withLock } from '../../../scripts/lock.mjs'
import { buildPart } from '../parts/build.ts'
import { fillFolder, folderOf, readyMadeFolder } from '../parts/cache.ts'
import { kubectl as recipe } from '../parts/recipes.ts'

/**
 * A real kubectl: named by the environment (as in envtest), downloaded with envtest, the user's own, or built from
 * source like the other parts. Only tests of shell commands need it, so not every lab has it.
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

/** The environment of the commands: the cluster of kubectl, and more variables. */
export interface Shell {
  readonly kubeconfig: string
  /** Files are written here. */
  readonly folder: string
  readonly variables?: Readonly<Record<string, string>>
}

/** Runs a command line with a real kubectl and without this user's settings. Returns its stdout. */
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
