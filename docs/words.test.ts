import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { options } from '../config/options.ts'
import { fieldsOf, readDefinitions, schemaOf } from '../crds/definition.ts'

const root = path.join(import.meta.dirname, '..')
const files = ['README.md', ...readdirSync(import.meta.dirname).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
)
const pages = files.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))
const definitions = readDefinitions(path.join(root, 'crds'))

/** As GitHub makes it of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .trim()
    .replaceAll(' ', '-')
}

function leadsSomewhere(file: string, link: string): boolean {
  const [target = '', anchor] = link.split('#')
  const place = target === '' ? path.join(root, file) : path.join(root, path.dirname(file), target)
  if (!existsSync(place)) return false
  if (anchor === undefined) return true
  const headings = [...readFileSync(place, 'utf8').matchAll(/^#+ (.*)$/gm)]
  return headings.some(([, heading = '']) => anchorOf(heading) === anchor)
}

describe.each(pages)('$file', ({ file, text }) => {
  it('links to what exists', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !leadsSomewhere(file, link))).toEqual([])
  })

  it('names short names and variables that exist', () => {
    const shortNames = definitions.flatMap(({ spec }) => spec.names.shortNames ?? [])
    const typed = [...text.matchAll(/\bspot(?:aws|az|gcp|ibm|xcp|pol)\w*/g)].map(([name]) => name)
    expect(typed.filter((name) => !shortNames.includes(name))).toEqual([])
    const variables = [...Object.values(options).map(({ variable }) => variable), 'CAPSPOT_LONG']
    const named = [...text.matchAll(/\bCAPSPOT_\w+/g)].map(([name]) => name)
    expect(named.filter((name) => !variables.includes(name))).toEqual([])
  })
})

const owned = [
  'clusterctl',
  'migration',
  'names',
  'permissions',
  'reliability',
  'troubleshooting',
  'workload-access',
] as const
const plain = ['README.md', ...owned.map((name) => `docs/${name}.md`)]

const mostWords = 30

function longSentences(text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/<!--.*?-->/gs, '')
  const sentences = prose.split(/(?<=[.!?])\s+|\n\s*\n|\n(?=\s*[|#>-])|\|/)
  return sentences.filter((sentence) => sentence.trim().split(/\s+/).length > mostWords)
}

test.each(plain)('%s has no sentence above 30 words', (file) => {
  expect(longSentences(pages.find((page) => page.file === file)?.text ?? '')).toEqual([])
})

test('docs/migration.md names every field that is refused', () => {
  const page = readFileSync(path.join(import.meta.dirname, 'migration.md'), 'utf8')
  const machines = definitions.filter(({ spec }) => spec.names.kind.endsWith('Machine'))
  const refused = machines.flatMap((definition) =>
    [...fieldsOf(schemaOf(definition))]
      .filter(({ schema }) => schema.description?.startsWith('Not supported'))
      .map(({ path: field }) => field.split('.').at(-1) ?? ''),
  )
  expect(refused).toContain('ignition')
  expect(refused.filter((field) => !page.includes(field))).toEqual([])
})
