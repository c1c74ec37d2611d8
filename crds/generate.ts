import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDefinitions } from './definition.ts'
import { kustomization, renderKustomization } from './kustomization.ts'
import { templateDrift } from './parity.ts'
import { render, type Rendered } from './render.ts'
import { staleness } from './staleness.ts'

/**
 * `node crds/generate.ts` writes api/generated and the list of the CRDs from the CRDs of this folder; with `--check` it
 * writes nothing and fails, saying where, when a file is not what it should be.
 */
const root = join(import.meta.dirname, '..')
const folder = 'api/generated'

const definitions = readDefinitions(import.meta.dirname)
const wanted = [
  ...(await Promise.all(definitions.map((definition) => render(definition)))),
  renderKustomization(definitions.map(({ spec }) => spec.names.kind)),
]
const problems = process.argv.includes('--check') ? [...drifts(), ...staleness(wanted, onDisk())] : drifts()

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else if (!process.argv.includes('--check')) write(wanted)

/** The differences between templates and their machines. */
function drifts(): string[] {
  return definitions.flatMap((template) => {
    const { kind } = template.spec.names
    const machine = definitions.find(({ spec }) => `${spec.names.kind}Template` === kind)
    return machine ? (templateDrift(machine, template) ?? []) : []
  })
}

function onDisk(): Rendered[] {
  const generated = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : []
  const paths = [...generated.map((name) => `${folder}/${name}`), kustomization]
  return paths
    .filter((path) => existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** Writes only changed files, because other processes may read them. */
function write(files: readonly Rendered[]): void {
  const before = new Map(onDisk().map(({ path, text }) => [path, text]))
  const changed = files.filter(({ path, text }) => before.get(path) !== text)
  const strays = [...before.keys()].filter((path) => !files.some((file) => file.path === path))
  mkdirSync(join(root, folder), { recursive: true })
  for (const { path, text } of changed) writeFileSync(join(root, path), text)
  for (const path of strays) rmSync(join(root, path))
  console.log(`From crds/: ${files.length} files, ${changed.length} of them new or changed, ${strays.length} removed.`)
}
