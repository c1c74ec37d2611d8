// Generates every file that follows from another one. With --check it only compares.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)
// The reference pages are made from the code, which imports the generated types. So the types come first.
const generators = ['crds/generate.ts', 'docs/generate.ts']

const failed = generators.filter((generator) => {
  const { status } = spawnSync(process.execPath, [generator, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })
  return status !== 0
})
process.exitCode = failed.length === 0 ? 0 : 1
