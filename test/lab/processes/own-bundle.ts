import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { bundleFolder, bundleManager } from '../../../scripts/build.ts'

/** The bundle of the manager, in a folder of this run, so that no other run replaces it under a running manager. */
export async function ownBundle(): Promise<{ readonly entry: string } & AsyncDisposable> {
  // Within the repository, where the bundle finds its external packages.
  const parent = path.dirname(bundleFolder)
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(path.join(parent, 'manager-'))
  const entry = await bundleManager(folder)
  return { entry, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
