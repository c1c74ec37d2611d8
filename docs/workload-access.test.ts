import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { loadAll } from 'js-yaml'
import { expect, it } from 'vitest'
import { controlPlaneReasons } from '../api/reasons.ts'
import { helpfulAccess, neededAccess } from '../controllers/workload/access.ts'
import { guide } from '../controllers/workload/secret.ts'

const root = path.join(import.meta.dirname, '..')

interface Rule {
  apiGroups?: string[]
  resources?: string[]
  nonResourceURLs?: string[]
  verbs: string[]
}

it('the manifest grants what Cluster API and the manager need, and nothing else', async () => {
  const text = await readFile(path.join(import.meta.dirname, 'workload-access', 'access.yaml'), 'utf8')
  const objects = loadAll(text) as { kind: string; metadata: { namespace?: string }; rules: Rule[] }[]
  const granted = objects
    .filter(({ kind }) => /^(Cluster)?Role$/.test(kind))
    .flatMap(({ metadata: { namespace }, rules }) => rules.map((rule) => ({ namespace, ...rule })))
  const needed = [...neededAccess, ...helpfulAccess].map(({ namespace, verbs, group = '', resource = '', path }) => {
    const what = path === undefined ? { apiGroups: [group], resources: [resource] } : { nonResourceURLs: [path] }
    return { namespace, ...what, verbs: [...verbs] }
  })
  const inOrder = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).toSorted()
  expect(inOrder(granted)).toEqual(inOrder(needed))
})

it('the page to which conditions refer is there, and links to what is there', async () => {
  const text = await readFile(path.join(root, guide), 'utf8')
  const links = [...text.matchAll(/\]\((?!https?:)(?<target>[^)]+)\)/g)].map(({ groups }) => groups?.['target'] ?? '')
  expect(links.length).toBeGreaterThan(0)
  for (const link of links) expect(await readFile(path.join(root, 'docs', link), 'utf8')).not.toBe('')
  expect(await readFile(path.join(root, 'docs', 'conditions.md'), 'utf8')).toContain(
    Object.keys(controlPlaneReasons).at(-1),
  )
})
