import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { cacheFolder } from './cache-folder.mjs'
import { withLock } from './lock.mjs'
import { startProgress } from './progress.mjs'

/**
 * Installs what package-lock.json lists. If that is done already, it costs the hash of one file. Of
 * several starts at once the first installs, and the others wait.
 *
 * @param {string} root
 */
export async function installDependencies(root) {
  const lockfile = readFileSync(path.join(root, 'package-lock.json'))
  const digest = createHash('sha256').update(lockfile).update(`${process.platform}-${process.arch}`).digest('hex')
  const stamp = path.join(root, 'node_modules', '.installed')
  const installed = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest
  if (installed()) return

  const where = createHash('sha256').update(root).digest('hex').slice(0, 16)
  let waiting = false
  await withLock(
    path.join(cacheFolder(), 'locks', `install-${where}`),
    async () => {
      if (installed()) return
      const packages = packagesOf(lockfile.toString())
      if (!sameAsInstalled(packages, root)) await npmCi(root, Object.keys(packages).length - 1)
      writeFileSync(stamp, digest)
    },
    {
      onWait: (holder) => {
        if (!waiting) process.stderr.write(`Waiting for process ${holder}, which installs the dependencies\n`)
        waiting = true
      },
    },
  )
}

/**
 * @param {string} text
 * @returns {Record<string, LockedPackage>}
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[]
 * }} LockedPackage
 */
function packagesOf(text) {
  return /** @type {{ packages: Record<string, LockedPackage> }} */ (JSON.parse(text)).packages
}

/**
 * npm lists its installed packages in node_modules: after `npm ci` by hand there is nothing to do.
 *
 * @param {Record<string, LockedPackage>} wanted
 * @param {string} root
 */
function sameAsInstalled(wanted, root) {
  const file = path.join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(file)) return false
  const found = packagesOf(readFileSync(file, 'utf8'))
  const missing = Object.entries(wanted).some(([where, locked]) => {
    if (where === '') return false
    const there = found[where]
    if (!there) return !locked.optional || isForHere(locked)
    return there.version !== locked.version || there.integrity !== locked.integrity
  })
  return !missing && Object.keys(found).every((where) => where in wanted)
}

/**
 * npm leaves out packages for other computers. Of two builds for this one, by their C library, it takes one.
 *
 * @param {LockedPackage} locked
 */
function isForHere({ os, cpu, libc }) {
  return !libc && Boolean(os?.includes(process.platform) && cpu?.includes(process.arch))
}

/**
 * @param {string} root
 * @param {number} count
 */
async function npmCi(root, count) {
  const progress = startProgress(`Installing ${count} packages from package-lock.json`)
  const { command, args } = npm()
  const child = spawn(command, [...args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  /** @type {string | number | null} */
  const ended = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => resolve(signal ?? code))
  })
  if (ended !== 0) {
    progress.failed()
    throw new Error(`The dependencies could not be installed; npm ci ended with ${ended}.\n${said.trim()}`)
  }
  progress.done()
}

/** The npm that started this process, with its own Node: `npm ci` replaces the `node` on its PATH. */
function npm() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env
  return cli && node && cli.endsWith('.js') ? { command: node, args: [cli] } : { command: 'npm', args: [] }
}
