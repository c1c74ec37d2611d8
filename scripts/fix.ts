// Repairs what a program can repair.
import path from 'node:path'
import { runChild } from './run-child.mjs'

const root = path.dirname(import.meta.dirname)
const bin = (name: string) => path.join(root, 'node_modules', '.bin', name)

const steps: [string, ...string[]][] = [
  [process.execPath, 'scripts/generate.ts'],
  [bin('oxlint'), '--fix'],
  [bin('oxfmt')],
]

for (const [file, ...args] of steps) {
  const { code } = await runChild(file, args, { cwd: root })
  if (code !== 0) process.exitCode = 1
}
