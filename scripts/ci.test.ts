import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = path.dirname(import.meta.dirname)
let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'capspot-ci-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** .ci/run with an npm that only records its arguments. */
function ci({ check }: { check: number }) {
  const asked = path.join(folder, 'asked')
  const npm = `#!/bin/sh\necho "$@" >>'${asked}'\ncase "$*" in *check*) echo checked; exit ${check};; esac\necho '7 passed, 0 failed'\n`
  writeFileSync(path.join(folder, 'npm'), npm, { mode: 0o755 })
  const env = { ...process.env, PATH: `${folder}${path.delimiter}${process.env['PATH'] ?? ''}` }
  const { status, stdout, stderr } = spawnSync(path.join(root, '.ci', 'run'), { encoding: 'utf8', env })
  return { status, stdout, stderr, asked: readFileSync(asked, 'utf8').trimEnd().split('\n') }
}

test('CI looks at what needs no test first, and then runs every test', () => {
  expect(ci({ check: 0 })).toEqual({
    status: 0,
    stdout: '7 passed, 0 failed\n',
    stderr: 'checked\n',
    asked: ['--silent run check -- --static', '--silent test'],
  })
})

test('where that is wrong CI is red, says so, and runs no test', () => {
  const { stderr, ...rest } = ci({ check: 1 })
  expect(rest).toEqual({ status: 1, stdout: '0 passed, 1 failed\n', asked: ['--silent run check -- --static'] })
  expect(stderr).toMatch(/^checked\nRed: types, lint, format or generated files are wrong, as said above/)
})
