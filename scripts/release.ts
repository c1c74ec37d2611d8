// Writes the files from which clusterctl installs our provider to out/infrastructure-spot/<version>.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { BadRelease, releaseFiles, type Release } from '../config/release.ts'

const out = path.join(import.meta.dirname, '..', 'out')

/** Writes a release into its own folder. The folder above is a repository that clusterctl reads by a file URL. */
export async function writeRelease(release: Release, into: string = out): Promise<string> {
  const files = releaseFiles(release)
  const folder = path.join(into, 'infrastructure-spot', release.version)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text)
  return folder
}

function readArguments(args: string[]): Release {
  try {
    const options = { image: { type: 'string' }, 'agent-image': { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    return { version: positionals.join(' '), image: values.image, agentImage: values['agent-image'] }
  } catch (thrown) {
    throw new BadRelease(
      `${(thrown as Error).message.split('. ')[0]}. Use: npm run release -- v0.1.0 [--image NAME:TAG] [--agent-image NAME:TAG]`,
    )
  }
}

if (import.meta.main) {
  try {
    const folder = await writeRelease(readArguments(process.argv.slice(2)))
    process.stdout.write(`The release is written: ${path.relative(process.cwd(), folder)}\n`)
  } catch (thrown) {
    if (!(thrown instanceof BadRelease)) throw thrown
    process.stderr.write(`${thrown.message}\n`)
    process.exitCode = 2
  }
}
