import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { componentsOf, type Component } from '../config/components.ts'
import { variables as agentVariables } from '../controllers/agent/settings.ts'
import { options } from '../config/options.ts'
import { longSentences } from '../lint/long-sentences.ts'
import { fieldsOf, readDefinitions, schemaOf, type Schema } from '../crds/definition.ts'

const root = path.join(import.meta.dirname, '..')
const inDocs = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`)
const pages = ['README.md', ...inDocs.filter((name) => name.endsWith('.md'))].map(read)
const atTop = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'DECISIONS.md', 'GLOSSARY.md', 'REVIEWING.md']
const readmes = globSync('{api,controllers,providers,test}/**/README.md', { cwd: root })
const forContributors = [...atTop, ...readmes].map(read)
const definitions = readDefinitions(path.join(root, 'crds'))

function read(file: string): { file: string; text: string } {
  return { file, text: readFileSync(path.join(root, file), 'utf8') }
}

/** The anchor that GitHub gives a heading. */
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
    const typed = [...text.matchAll(/\bspot(?:aws|az|gcp|ibm|xcp|pol|pool)\w*/g)].map(([name]) => name)
    expect(typed.filter((name) => !shortNames.includes(name))).toEqual([])
    const variables = [
      ...Object.values(options).map(({ variable }) => variable),
      ...Object.keys(agentVariables),
      'CAPSPOT_LONG',
    ]
    const named = [...text.matchAll(/\bCAPSPOT_\w+/g)].map(([name]) => name)
    expect(named.filter((name) => !variables.includes(name))).toEqual([])
  })
})

/** Code blocks and comments are no prose. */
function proseOf(page: string): string {
  return page.replaceAll(/^```.*?^```/gms, '').replaceAll(/<!--.*?-->/gs, '')
}

test.each([...pages, ...forContributors])('$file has no sentence above 30 words', ({ text }) => {
  expect(longSentences(proseOf(text))).toEqual([])
})

test.each([...pages, ...forContributors])('$file says each heading and each paragraph once', ({ text }) => {
  const blocks = proseOf(text)
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
  expect(blocks.filter((block, at) => blocks.indexOf(block) !== at)).toEqual([])
})

test.each(definitions.map((definition) => ({ kind: definition.spec.names.kind, definition })))(
  'the descriptions and messages of $kind have no sentence above 30 words',
  ({ definition }) => {
    const texts = sentencesOf(schemaOf(definition))
    expect(texts).not.toHaveLength(0)
    expect(texts.flatMap(longSentences)).toEqual([])
  },
)

function sentencesOf({ description, ...schema }: Schema): string[] {
  const messages = (schema['x-kubernetes-validations'] ?? []).map(({ message }) => message)
  const { properties = {}, items, additionalProperties } = schema
  const inside = [...Object.values(properties), items, additionalProperties].filter((one) => one !== undefined)
  return [...[description, ...messages].filter((text) => text !== undefined), ...inside.flatMap(sentencesOf)]
}

interface Policy extends Component {
  spec: { validations: { messageExpression?: string }[] }
}

const policies = componentsOf().filter(({ kind }) => kind === 'ValidatingAdmissionPolicy') as Policy[]

test.each(policies)('the messages of policy $metadata.name have no sentence above 30 words', ({ spec }) => {
  const messages = spec.validations.flatMap(({ messageExpression = [] }) => messageExpression)
  expect(messages).not.toHaveLength(0)
  // A text of CEL stands between single quotes; what stands between two texts counts as one word.
  const texts = messages.map((message) => [...message.matchAll(/'([^']*)'/g)].map(([, text = '']) => text).join('x'))
  expect(texts.flatMap(longSentences)).toEqual([])
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
