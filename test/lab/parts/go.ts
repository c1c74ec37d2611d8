import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

const oldest = { major: 1, minor: 26 }
const advice = 'Install it from https://go.dev/dl and start again.'

export interface GoRun {
  cwd: string
  env?: NodeJS.ProcessEnv
  signal?: AbortSignal | undefined
  /** Called with each line that go writes on stderr: downloads, and packages as they are compiled. */
  onLine?: (line: string) => void
}

/** Runs go and returns its stdout. An error has the end of its stderr. */
export async function runGo(args: string[], { cwd, env = process.env, signal, onLine }: GoRun): Promise<string> {
  const child = spawn('go', args, {
    cwd,
    // Our module is in the user's cache, so no workspace or version control around it may apply.
    env: { ...env, CGO_ENABLED: '0', GOWORK: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  })
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  const last: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (last.push(line) > 20) last.shift()
    onLine?.(line)
  })
  const code = await ended(child)
  if (code !== 0) throw new Error(`go ${args[0]} ended with ${code}:\n${last.join('\n')}`)
  return stdout
}

/** One sentence about what is missing where Go cannot build `what`; undefined where it can. */
export async function goProblem(what: string, run: GoRun): Promise<string | undefined> {
  const why = `${what} has to be built on this machine, and that needs Go ${oldest.major}.${oldest.minor} or newer`
  let said: string
  try {
    said = await runGo(['version'], run)
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return `${why}, but ${missing ? 'there is no go on the PATH' : 'go does not run here'}. ${advice}`
  }
  return (await isEnough(said, run)) ? undefined : `${why}; this is ${said.trim()}. ${advice}`
}

async function isEnough(said: string, run: GoRun): Promise<boolean> {
  const [, major = 0, minor = 0] = (/go(\d+)\.(\d+)/.exec(said) ?? []).map(Number)
  if (major !== oldest.major) return major > oldest.major
  if (minor >= oldest.minor) return true
  // From 1.21 on go downloads the version that a module requires, unless it was told to keep its own.
  return minor >= 21 && (await runGo(['env', 'GOTOOLCHAIN'], run)).trim() !== 'local'
}

function ended(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'no exit code'))
  })
}
