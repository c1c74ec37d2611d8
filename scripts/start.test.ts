import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commands } from './commands.mjs'
import { findNode } from './find-node.mjs'

const root = path.dirname(import.meta.dirname)
const start = (...args: string[]) =>
  spawnSync(process.execPath, [path.join(import.meta.dirname, 'start.mjs'), ...args], { encoding: 'utf8' })

test.each([
  { args: [], begins: 'Commands:\n' },
  { args: ['danse'], begins: "There is no command 'danse'. Commands:\n" },
  { args: ['toString'], begins: "There is no command 'toString'. Commands:\n" },
])('$args ends in the list of commands', ({ args, begins }) => {
  const { status, stderr, stdout } = start(...args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr.startsWith(begins)).toBe(true)
  for (const [name, { what }] of Object.entries(commands)) {
    expect(stderr).toMatch(new RegExp(`npm run ${name} +${what.replaceAll(/[.()|]/g, '\\$&')}\n`))
  }
})

test('each command is an npm script, and the other way round', async () => {
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const expected = Object.keys(commands).map((name) => [name, `exec node scripts/start.mjs ${name}`])
  expect(scripts).toEqual(Object.fromEntries(expected))
})

test.each(Object.entries(commands))('the program of %s exists', (_, { run: [file] }) => {
  expect(existsSync(path.join(root, file))).toBe(true)
})

test.each(['18.20.8', '23.11.1'])('a host with Node %s alone is told what to do', (version) => {
  expect(() => findNode('/nowhere', version)).toThrow(/^Node 24 or newer is needed.* Install Node 24 from/)
})

test.each(['24.0.0', '26.1.0'])("a host's own Node %s will do", (version) => {
  expect(findNode('/nowhere', version)).toBe(process.execPath)
})
