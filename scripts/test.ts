// Runs every test, and prints a last line from vitest's own report, because its exit code forgives too much.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getKubeControllerParts, getParts } from '../test/lab/parts/parts.ts'
import { runChild } from './run-child.mjs'
import { summarize, type VitestReport } from './test-summary.ts'

const root = path.dirname(import.meta.dirname)

async function runVitest(args: string[]): Promise<{ report: VitestReport | undefined; clean: boolean }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'capspot-report-'))
  try {
    const file = path.join(folder, 'report.json')
    const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const { code } = await runChild(process.execPath, [vitest, 'run', ...reporters, ...args], { cwd: root })
    const text = await readFile(file, 'utf8').catch(() => undefined)
    return { report: text === undefined ? undefined : (JSON.parse(text) as VitestReport), clean: code === 0 }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** This may take minutes. An interrupt must not leave a build behind. */
async function prepareParts(): Promise<void> {
  const stop = new AbortController()
  const end = () => stop.abort(new Error('Stopped before the parts of the lab were there.'))
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, end)
  await getParts({ signal: stop.signal })
  await getKubeControllerParts({ signal: stop.signal })
  for (const signal of signals) process.off(signal, end)
}

try {
  await prepareParts()
  const { report, clean } = await runVitest(process.argv.slice(2))
  const { line, why } = summarize(report, clean)
  if (why) process.stderr.write(`Red: ${why}\n`)
  process.stdout.write(`${line}\n`)
  process.exitCode = why ? 1 : 0
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.stdout.write('0 passed, 1 failed\n')
  process.exitCode = 1
}
