// The checks of a change, in under a minute. All of them run, so that one start shows all errors. With --static the
// unit tests are left out, for runs that include every test anyway.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'

const root = path.dirname(import.meta.dirname)
const bin = (name: string) => path.join(root, 'node_modules', '.bin', name)

const { values } = parseArgs({ options: { static: { type: 'boolean', default: false } } })

const checks: { what: string; command: [string, ...string[]] }[] = [
  { what: 'generated', command: [process.execPath, 'scripts/generate.ts', '--check'] },
  { what: 'types', command: [bin('tsc')] },
  { what: 'lint', command: [bin('oxlint')] },
  { what: 'format', command: [bin('oxfmt'), '--check'] },
]
if (!values.static) {
  checks.push({ what: 'unit tests', command: [bin('vitest'), 'run', '--project', 'unit', '--reporter=dot'] })
}

async function run([file, ...args]: [string, ...string[]]): Promise<{ ok: boolean; said: string }> {
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ ok: false, said: error.message }))
    child.on('close', (code) => resolve({ ok: code === 0, said }))
  })
}

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`
const began = performance.now()
const failed: string[] = []

for (const { what, command } of checks) {
  const since = performance.now()
  const { ok, said } = await run(command)
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'}  ${what.padEnd(12)} ${seconds(since).padStart(7)}\n`)
  if (!ok) {
    failed.push(what)
    process.stdout.write(`${said.trimEnd()}\n\n`)
  }
}

process.stdout.write(
  failed.length === 0 ? `All good in ${seconds(began)}\n` : `Failed in ${seconds(began)}: ${failed.join(', ')}\n`,
)
process.exitCode = failed.length === 0 ? 0 : 1
