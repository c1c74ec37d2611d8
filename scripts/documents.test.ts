import { globSync, readdirSync } from 'node:fs'
import { glob, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readDefinitions, schemaOf } from '../crds/definition.ts'
import { clouds } from '../providers/registry.ts'

const root = path.dirname(import.meta.dirname)
const read = (name: string) => readFile(path.join(root, name), 'utf8')

/** The files that every cloud's folder has, by room: `wire: buckets client …`. Files outside a room come first. */
async function filesOfEveryCloud(): Promise<string[]> {
  const folders = Object.keys(clouds).map((cloud) => readdir(path.join(root, 'providers', cloud), { recursive: true }))
  const [first = [], ...others] = await Promise.all(folders)
  const shared = first.filter((file) => others.every((files) => files.includes(file)))
  return shared.filter((file) => /(?<!\.test)\.ts$/.test(file)).map((file) => file.slice(0, -'.ts'.length))
}

/** The npm scripts in a document. */
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

const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root })

/** The headings of a page, written as links name them. */
function anchorsOf(page: string): string[] {
  const headings = page.matchAll(/^#+ (?<heading>.+)$/gm)
  const words = [...headings].map(({ groups }) => (groups?.['heading'] ?? '').toLowerCase())
  return words.map((heading) => heading.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-'))
}

/** Undefined: the page does not exist. A folder has no sections. */
async function anchorsAt(page: string): Promise<string[] | undefined> {
  try {
    return anchorsOf(await read(page))
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EISDIR' ? [] : undefined
  }
}

async function isBroken(target: string, anchor: string | undefined): Promise<boolean> {
  const anchors = await anchorsAt(target)
  return anchors === undefined || (anchor !== undefined && !anchors.includes(anchor))
}

test.each(pages)('every file and section that %s links to exists', async (page) => {
  const links = (await read(page)).matchAll(/\]\((?!https?:)(?<file>[^)#]*)(?:#(?<anchor>[^)]+))?\)/g)
  const broken: string[] = []
  for (const { 0: link, groups } of links) {
    const target = path.join(path.dirname(page), groups?.['file'] || path.basename(page))
    if (await isBroken(target, groups?.['anchor'])) broken.push(link)
  }
  expect(broken).toEqual([])
})

/** The rooms of a cloud as ARCHITECTURE.md names them, each with its files. Those of no room stand under ''. */
async function namedRooms(): Promise<Map<string, string[]>> {
  const [, said = ''] =
    /Every cloud's folder has these files, and more of its own: (.*) \|/.exec(await read('ARCHITECTURE.md')) ?? []
  const rooms = said.matchAll(/`(?:(?<room>[a-z]+)\/: )?(?<files>[a-z -]+)`/g)
  return new Map([...rooms].map(({ groups }) => [groups?.['room'] ?? '', groups?.['files']?.split(' ') ?? []]))
}

test("ARCHITECTURE.md names the files that every cloud's folder has, room by room, and no others", async () => {
  const named = [...(await namedRooms())].flatMap(([room, files]) => files.map((file) => path.join(room, file)))
  expect(named.toSorted()).toEqual((await filesOfEveryCloud()).toSorted())
})

test("the design of a fifth cloud lists the files that every cloud's folder has", async () => {
  const page = await read('docs/designs/fifth-cloud.md')
  const missing = (await filesOfEveryCloud()).filter((file) => !page.includes(`\`${file.split('/').at(-1)}.ts\``))
  expect(missing).toEqual([])
})

test.each(Object.keys(clouds))('%s has the rooms that ARCHITECTURE.md names, and no others', async (cloud) => {
  const rooms = [...(await namedRooms()).keys()].filter((room) => room !== '')
  const [, further] = /Some clouds also have `([a-z]+)\/`/.exec(await read('ARCHITECTURE.md')) ?? []
  const found = foldersIn(`providers/${cloud}`).filter((room) => room !== further)
  expect(found.toSorted()).toEqual(rooms.toSorted())
})

/** More source files than these no room of a cloud has: beyond that nobody finds a file by reading the list. */
const mostInARoom = 20

test.each(Object.keys(clouds))('no room of %s has too many files', (cloud) => {
  const tooFull = foldersIn(`providers/${cloud}`).filter((room) => {
    const files = readdirSync(path.join(root, 'providers', cloud, room))
    return files.filter((file) => !file.endsWith('.test.ts')).length > mostInARoom
  })
  expect(tooFull).toEqual([])
})

/** The folders in it, each with its last name. */
function foldersIn(folder: string): string[] {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

test.each(['controllers', 'controllers/machine', 'controllers/runtime', 'providers', 'test'])(
  'ARCHITECTURE.md names every folder of %s',
  async (folder) => {
    const [, map = ''] = /^## The map$(.*?)^## /ms.exec(await read('ARCHITECTURE.md')) ?? []
    const rows = map.split('\n').filter((row) => row.startsWith('| '))
    const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)\/`/g)].map(([, name = '']) => name))
    const all = named.flatMap((name) => /\{(.*)\}/.exec(name)?.[1]?.split(',') ?? [name.split('/').at(-1)])
    expect(foldersIn(folder).filter((name) => !all.includes(name))).toEqual([])
  },
)

const roots = 'api|config|controllers|crds|docs|examples|lint|providers|scripts|test'

/** Paths between backticks; `<cloud>` is any cloud. */
function pathsIn(text: string): string[] {
  const paths = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name)
  return paths.filter((name) => new RegExp(`^(${roots})/`).test(name)).map((name) => name.replace('<cloud>', '*'))
}

async function isThere(pattern: string): Promise<boolean> {
  for await (const _ of glob(pattern.replace(/\/$/, ''), { cwd: root })) return true
  return false
}

const documents = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'DECISIONS.md', 'GLOSSARY.md', 'README.md', 'REVIEWING.md']
const designs = ['account', 'fifth-cloud', 'owner-id', 'tenants'].map((name) => `docs/designs/${name}.md`)

test.each([...documents, ...designs])('the files and folders that %s names exist', async (document) => {
  const paths = pathsIn(await read(document))
  const found = await Promise.all(paths.map(async (name) => ((await isThere(name)) ? [] : [name])))
  expect(found.flat()).toEqual([])
})

const readmes = globSync('{api,controllers,providers,test}/**/README.md', { cwd: root }).map((file) =>
  path.dirname(file),
)

test.each(readmes)('the files and folders that the README of %s names exist', async (folder) => {
  const names = [...(await read(`${folder}/README.md`)).matchAll(/`([\w-]+(?:\.ts|\/))`/g)].map(([, name = '']) => name)
  expect(names).not.toHaveLength(0)
  const found = await Promise.all(names.map(async (name) => ((await isThere(`${folder}/**/${name}`)) ? [] : [name])))
  expect(found.flat()).toEqual([])
})

test.each(['client', 'cache', 'controller', 'process'])(
  'the README of controllers/runtime/%s names its files',
  async (room) => {
    const folder = path.join('controllers', 'runtime', room)
    const files = (await readdir(path.join(root, folder))).filter((file) => /(?<!\.test)\.ts$/.test(file))
    const table = (await read(path.join(folder, 'README.md'))).split('\n').filter((line) => line.startsWith('| `'))
    const named = table.flatMap((line) =>
      [...(line.split('|')[1] ?? '').matchAll(/`([a-z-]+\.ts)`/g)].map(([, file = '']) => file),
    )
    expect(named.toSorted()).toEqual(files.toSorted())
  },
)

/** The columns that kubectl prints by itself, without its own. */
function printedColumns(kind: string): string[] {
  const [version] =
    readDefinitions(path.join(root, 'crds')).find(({ spec }) => spec.names.kind === kind)?.spec.versions ?? []
  const columns = version?.additionalPrinterColumns ?? []
  return columns.filter(({ priority = 0 }) => priority === 0).map(({ name }) => name.toUpperCase())
}

test.each([
  ['README.md', 'CapacityPool', /^TYPE .*/m],
  ['docs/capacity-pools.md', 'CapacityPool', /(?<=^NAME +)TYPE .*/m],
  ['docs/fallback.md', 'AWSMachine', /(?<=^NAME +)CLUSTER .*/m],
])('%s shows the columns of %s that kubectl prints', async (document, kind, head) => {
  const [columns = ''] = head.exec(await read(document)) ?? []
  expect(columns.split(/ +/)).toEqual(printedColumns(kind))
})

test('the README shows the fields of an attempt that a machine has', async () => {
  const [, shown = ''] = /\n  Attempts:\n(.*?)\n  \w/s.exec(await read('README.md')) ?? []
  const fields = shown.matchAll(/^    (?<name>\w[\w ]*):/gm)
  const named = new Set([...fields].map(({ groups }) => (groups?.['name'] ?? '').replaceAll(' ', '').toLowerCase()))
  const machine = readDefinitions(path.join(root, 'crds')).find(({ spec }) => spec.names.kind === 'AWSMachine')
  const attempts = machine && schemaOf(machine).properties?.['status']?.properties?.['attempts']
  const known = Object.keys(attempts?.items?.properties ?? {}).map((name) => name.toLowerCase())
  expect([...named].toSorted()).toEqual(known.toSorted())
})
