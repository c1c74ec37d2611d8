import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { componentsOf } from '../config/components.ts'
import { releaseFiles } from '../config/release.ts'
import { bundleEntry, bundleFolder, notBundled } from '../scripts/build.ts'

const root = path.join(import.meta.dirname, '..')
const page = await readFile(path.join(import.meta.dirname, 'clusterctl.md'), 'utf8')
const templates = Object.entries(releaseFiles({ version: 'v0.1.0' })).filter(([file]) =>
  file.startsWith('cluster-template-'),
)
/** Variables that clusterctl fills in itself. */
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

test('the Dockerfile takes what the build writes, and what that needs at our own version of it', async () => {
  const dockerfile = await readFile(path.join(import.meta.dirname, 'clusterctl', 'Dockerfile'), 'utf8')
  const own = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    type: string
    dependencies: Record<string, string>
    devDependencies: Record<string, string>
  }
  const needed = notBundled.map((name) => `${name}@${own.dependencies[name]}`)
  expect(/npm install --save-exact (?<what>.*)/.exec(dockerfile)?.groups?.['what']?.split(' ')).toEqual(needed)
  expect(dockerfile).toContain(`"type": "${own.type}"`)
  expect(dockerfile).toContain(`\nENTRYPOINT ["node", "${bundleEntry}"]\n`)
  expect(dockerfile).toContain(`\nFROM node:${own.devDependencies['@types/node']?.split('.')[0]}-slim\n`)
  for (const text of [dockerfile, page]) {
    const built = /docker build --file (?<file>\S+) --tag \S+ (?<folder>\S+)/.exec(text)?.groups
    expect(built).toEqual({ file: 'docs/clusterctl/Dockerfile', folder: path.relative(root, bundleFolder) })
  }
})
