import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { bundleFolder, bundleManager } from '../../scripts/build.ts'

/** The manager as it ships, in a folder of this run's own: nobody builds another under a manager that runs. */
export async function ownBundle(): Promise<{ readonly entry: string } & AsyncDisposable> {
  // Within the repository, where the bundle finds what it does not hold.
  const parent = path.dirname(bundleFolder)
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(path.join(parent, 'manager-'))
  const entry = await bundleManager(folder)
  return { entry, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
