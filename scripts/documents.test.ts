import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.dirname(import.meta.dirname)
const read = (name: string) => readFile(path.join(root, name), 'utf8')

/** The npm scripts that a document tells its reader to type. */
async function commandsIn(document: string): Promise<string[]> {
  const typed = (await read(document)).matchAll(/npm (?:run (?<script>[\w:]+)|(?<short>test|start)\b)/g)
  return [...new Set([...typed].map(({ groups }) => groups?.['script'] ?? groups?.['short'] ?? ''))]
}

test('the README tells its reader to type npm run demo and npm test', async () => {
  expect(await commandsIn('README.md')).toEqual(expect.arrayContaining(['demo', 'test']))
})

test.each(['README.md', 'CONTRIBUTING.md'])('every command in %s exists', async (document) => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> }
  for (const command of await commandsIn(document)) expect(Object.keys(scripts)).toContain(command)
})

test.each(['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'])(
  'every file that %s links to exists',
  async (document) => {
    const links = [...(await read(document)).matchAll(/\]\((?!https?:)(?<target>[^)#]+)/g)]
    for (const { groups } of links) {
      await expect(
        readFile(path.join(root, groups?.['target'] ?? '')).catch((error: unknown) => error),
      ).resolves.toSatisfy((found) => Buffer.isBuffer(found) || (found as NodeJS.ErrnoException).code === 'EISDIR')
    }
  },
)
