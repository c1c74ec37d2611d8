import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cloudNames } from '../api/scope.ts'
import config from '../oxlint.config.ts'
import { cleanFiles } from '../test/lint/clean-files.ts'
import { clockFaults } from '../test/lint/clock-faults.ts'
import { houseFaults } from '../test/lint/house-faults.ts'
import { layerFaults } from '../test/lint/layer-faults.ts'
import { ownRooms, sharedRooms } from './layers.ts'

/** Our rules, on a small tree beside the repository in which every rule is broken once. */
const faults = [...clockFaults, ...layerFaults, ...houseFaults]
const root = join(import.meta.dirname, '..')
const sources = ['api', 'config', 'controllers', 'crds', 'docs', 'examples', 'lint', 'providers', 'scripts', 'test']
let tree: string
let reported: Map<string, string[]>

beforeAll(() => {
  tree = plant([...cleanFiles, ...faults])
  reported = lint(tree)
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

test.for(faults)('$rule reports: $what', ({ path, rule }) => {
  expect(reported.get(path)).toEqual([rule])
})

test.for(cleanFiles)('nothing is reported in $path', ({ path }) => {
  expect(reported.get(path)).toBeUndefined()
})

test('every rule that we set has a fault here', () => {
  const all = [config, ...(config.overrides ?? [])].flatMap(({ rules }) => Object.entries(rules ?? {}))
  const set = all.filter(([, level]) => level !== 'off').map(([name]) => name)
  const proven = new Set(faults.map(({ rule }) => asSet(rule)))
  expect([...new Set(set)].filter((name) => !proven.has(name))).toEqual([])
})

test('every room of controllers/ has a row that says from which others it may import', () => {
  const folders = readdirSync(join(root, 'controllers'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const known = [...sharedRooms, ...ownRooms, 'manager']
  expect(folders.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
})

describe('tsc', () => {
  const erasable = [
    { what: 'an enum', source: "export enum Kind {\n  A = 'a',\n}\n" },
    { what: 'a namespace with code', source: 'export namespace space {\n  export const n = 1\n}\n' },
    { what: 'a parameter property', source: 'export class C {\n  constructor(readonly n: number) {}\n}\n' },
  ].map((fault, index) => ({ ...fault, path: `api/not-erasable-${index}.ts` }))

  test('refuses what Node cannot run by erasing types', () => {
    const folder = plant([...erasable, { path: 'api/fine.ts', source: 'export const n = 1\n' }])
    try {
      const { stdout } = run(folder, 'typescript/bin/tsc', ['--pretty', 'false'])
      const errors = [...stdout.matchAll(/^(?<path>api\/[^(]+)\(.*error (?<code>TS\d+)/gm)].map(({ groups }) => ({
        ...groups,
      }))
      expect(errors).toEqual(erasable.map(({ path }) => ({ path, code: 'TS1294' })))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

test('no comment turns a rule off', () => {
  const off = /\b(oxlint|eslint)-disable|@ts-(ignore|nocheck|expect-error)/
  const own = join('lint', 'lint.test.ts')
  const files = sourceFiles().filter((path) => path !== own)
  expect(files.filter((path) => off.test(readFileSync(join(root, path), 'utf8')))).toEqual([])
})

test('no comment is wider than the code may be: 120 columns, which the formatter holds for code alone', () => {
  const wide = sourceFiles()
    .filter((path) => !path.startsWith(join('api', 'generated')))
    .flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .map((line, index) => ({ line, where: `${path}:${index + 1}` })),
    )
    .filter(({ line }) => line.length > 120 && /^\s*(\/\/|\/?\*)/.test(line))
  expect(wide.map(({ where }) => where)).toEqual([])
})

const mostFiles = 20

test(`no folder has more than ${mostFiles} source files, tests apart`, () => {
  const files = sourceFiles().filter((path) => !/\.test\.ts$|^test\/|^api\/generated\//.test(path))
  const folders = Map.groupBy(files, dirname)
  expect([...folders].filter(([, inside]) => inside.length > mostFiles).map(([folder]) => folder)).toEqual([])
})

function sourceFiles(): string[] {
  return sources
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => /\.m?ts$/.test(path))
}

/** A tree of these files with our configuration and dependencies. */
function plant(files: readonly { path: string; source: string }[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'capspot-lint-'))
  const libraries = cloudNames.map((cloud) => `providers/${cloud}/libraries.json`)
  for (const name of ['oxlint.config.ts', 'lint', 'tsconfig.json', 'package.json', 'api/scope.ts', ...libraries]) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const { path, source } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), source)
  }
  return folder
}

/** A rule as the configuration names it: `import(no-cycle)` is `import/no-cycle` there. */
function asSet(rule: string): string {
  return rule.replace(/^eslint\((.*)\)$/, '$1').replace(/^(\w+)\((.*)\)$/, '$1/$2')
}

/** The rules that reported something, by file. */
function lint(folder: string): Map<string, string[]> {
  const folders = [...new Set([...cleanFiles, ...faults].map(({ path }) => path.split('/')[0] ?? ''))]
  const { stdout } = run(folder, 'oxlint/bin/oxlint', ['--format', 'json', ...folders])
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] }
  const found = new Map<string, string[]>()
  for (const { filename, code } of diagnostics) {
    const rules = found.get(filename) ?? []
    if (!rules.includes(code)) found.set(filename, [...rules, code])
  }
  return found
}

function run(folder: string, program: string, options: string[]): { stdout: string } {
  const started = spawnSync(process.execPath, [join(folder, 'node_modules', program), ...options], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (started.error) throw started.error
  return started
}
