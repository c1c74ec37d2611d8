// Everything that is made from something else in the repository. With --check it only compares.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)
// The reference pages are read from the code, and the code reads the generated types: so those come first.
const generators = ['crds/generate.ts', 'docs/generate.ts']

const failed = generators.filter((generator) => {
  const { status } = spawnSync(process.execPath, [generator, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })
  return status !== 0
})
process.exitCode = failed.length === 0 ? 0 : 1
