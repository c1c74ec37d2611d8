import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDefinitions } from './definition.ts'
import { templateDrift } from './parity.ts'
import { render, type Rendered } from './render.ts'
import { staleness } from './staleness.ts'

/**
 * `node crds/generate.ts` writes api/generated from the CRDs of this folder; with `--check` it writes nothing and fails,
 * saying where, when a file there is not what it should be.
 */
const root = join(import.meta.dirname, '..')
const folder = 'api/generated'

const definitions = readDefinitions(import.meta.dirname)
const wanted = (await Promise.all(definitions.map((definition) => render(definition)))).flat()
const problems = process.argv.includes('--check') ? [...drifts(), ...staleness(wanted, onDisk())] : drifts()

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else if (!process.argv.includes('--check')) write(wanted)

/** Templates that are not what their machines are. */
function drifts(): string[] {
  return definitions.flatMap((template) => {
    const { kind } = template.spec.names
    const machine = definitions.find(({ spec }) => `${spec.names.kind}Template` === kind)
    return machine ? (templateDrift(machine, template) ?? []) : []
  })
}

function onDisk(): Rendered[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder)).map((name) => {
    const path = `${folder}/${name}`
    return { path, text: readFileSync(join(root, path), 'utf8') }
  })
}

/** Touches only what changes: others may be reading. */
function write(files: readonly Rendered[]): void {
  const before = new Map(onDisk().map(({ path, text }) => [path, text]))
  const changed = files.filter(({ path, text }) => before.get(path) !== text)
  const strays = [...before.keys()].filter((path) => !files.some((file) => file.path === path))
  mkdirSync(join(root, folder), { recursive: true })
  for (const { path, text } of changed) writeFileSync(join(root, path), text)
  for (const path of strays) rmSync(join(root, path))
  console.log(`${folder}: ${files.length} files, ${changed.length} of them new or changed, ${strays.length} removed.`)
}
