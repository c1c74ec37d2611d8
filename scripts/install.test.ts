import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { installDependencies } from './install.mjs'

let root: string
const said: string[] = []

/** Replaces npm: records the call, and leaves in node_modules what npm would. */
const npm = `
  const { appendFileSync, cpSync, existsSync, mkdirSync } = require('node:fs')
  appendFileSync('npm-ran', process.argv.slice(2).join(' ') + '\\n')
  if (existsSync('refuse')) { console.error('npm error the registry is down'); process.exit(1) }
  setTimeout(() => {
    mkdirSync('node_modules', { recursive: true })
    cpSync('package-lock.json', 'node_modules/.package-lock.json')
  }, 50)`

const lockfile = (packages: object) => JSON.stringify({ packages: { '': { name: 'us' }, ...packages } })
const left = { 'node_modules/left': { version: '1.0.0', integrity: 'sha512-1' } }

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'install-'))
  await writeFile(path.join(root, 'npm-cli.js'), npm)
  await writeFile(path.join(root, 'package-lock.json'), lockfile(left))
  vi.stubEnv('npm_execpath', path.join(root, 'npm-cli.js'))
  vi.stubEnv('npm_node_execpath', process.execPath)
  vi.stubEnv('XDG_CACHE_HOME', path.join(root, 'cache'))
  said.length = 0
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(root, { recursive: true, force: true })
})

const ran = async () => {
  const file = path.join(root, 'npm-ran')
  return existsSync(file) ? (await readFile(file, 'utf8')).trim().split('\n') : []
}
const ci = 'ci --ignore-scripts --no-audit --no-fund --loglevel=error'

async function alreadyThere(packages: object): Promise<void> {
  await mkdir(path.join(root, 'node_modules'))
  await writeFile(path.join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }))
}

test('what is missing is installed from the lockfile, once, without running scripts of packages', async () => {
  await installDependencies(root)
  await installDependencies(root)
  expect(await ran()).toEqual([ci])
  expect(said.join('')).toMatch(/Installing 1 packages from package-lock\.json.*\n.*: done in \d+ s\n/)
})

test('of several starts at once one installs', async () => {
  await Promise.all([installDependencies(root), installDependencies(root), installDependencies(root)])
  expect(await ran()).toEqual([ci])
})

test('another lockfile is installed again', async () => {
  await installDependencies(root)
  await writeFile(path.join(root, 'package-lock.json'), lockfile({ 'node_modules/right': { version: '2.0.0' } }))
  await installDependencies(root)
  expect(await ran()).toEqual([ci, ci])
})

const here = { optional: true, os: [process.platform], cpu: [process.arch] }

test.each([
  { what: 'the same', wanted: left, there: left, runs: 0 },
  { what: 'another version', wanted: left, there: { 'node_modules/left': { version: '0.9.0' } }, runs: 1 },
  { what: 'one too few', wanted: left, there: {}, runs: 1 },
  { what: 'one too many', wanted: {}, there: left, runs: 1 },
  { what: 'none for another machine', wanted: { x: { ...here, os: ['plan9'] } }, there: {}, runs: 0 },
  { what: 'none for this machine', wanted: { x: here }, there: {}, runs: 1 },
  { what: 'none for another C library', wanted: { x: { ...here, libc: ['musl'] } }, there: {}, runs: 0 },
])('where somebody has installed $what, npm runs $runs times', async ({ wanted, there, runs }) => {
  await writeFile(path.join(root, 'package-lock.json'), lockfile(wanted))
  await alreadyThere(there)
  await installDependencies(root)
  expect(await ran()).toHaveLength(runs)
})

test('a failure says what npm said, and the next start tries again', async () => {
  await writeFile(path.join(root, 'refuse'), '')
  await expect(installDependencies(root)).rejects.toThrow('npm ci ended with 1.\nnpm error the registry is down')
  await rm(path.join(root, 'refuse'))
  await installDependencies(root)
  expect(await ran()).toEqual([ci, ci])
})
