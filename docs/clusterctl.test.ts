import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { componentsOf } from '../config/components.ts'
import { releaseFiles } from '../config/release.ts'

const page = await readFile(path.join(import.meta.dirname, 'clusterctl.md'), 'utf8')
const templates = Object.entries(releaseFiles({ version: 'v0.1.0' })).filter(([file]) =>
  file.startsWith('cluster-template-'),
)
/** clusterctl fills these in by itself. */
const own = ['CLUSTER_NAME', 'NAMESPACE', 'WORKER_MACHINE_COUNT']

test.each(templates)('it names every variable of %s, and how it is used', (file, text) => {
  const flavor = /template-(\w+)/.exec(file)?.[1]
  const variables = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name))
  const silent = [...variables].filter((name) => !own.includes(name) && !page.includes(`\`${name}\``))
  expect(silent).toEqual([])
  expect(page).toContain(`--flavor ${flavor} -n`)
})

test.each(templates)('it says the defaults of %s', (_, text) => {
  const defaults = [...text.matchAll(/\$\{(?<name>\w+):=(?<value>[^}]*)\}/g)].filter(
    ({ groups }) => !own.includes(groups?.['name'] ?? ''),
  )
  expect(defaults).not.toEqual([])
  for (const { groups } of defaults) {
    const line = page.split('\n').find((each) => each.includes(`\`${groups?.['name']}\``))
    expect(line).toContain(groups?.['value'])
  }
})

test('it names every policy', () => {
  const policies = componentsOf().filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
  for (const { metadata } of policies) expect(page).toContain(`| \`${metadata.name}\` |`)
})

test('it names the Secrets that the Deployment reads, and where the files are', () => {
  const deployment = JSON.stringify(componentsOf().find(({ kind }) => kind === 'Deployment'))
  const named = [...deployment.matchAll(/"(?:secretName|mountPath|secretRef":\{"name)":"([^"]+)"/g)].map(
    ([, name = '']) => name,
  )
  expect(named).toHaveLength(3)
  for (const name of named) expect(page).toContain(name)
})
