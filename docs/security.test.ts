import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { componentsOf, type Component } from '../config/components.ts'

interface Role extends Component {
  rules: { resources: string[]; verbs: string[] }[]
}

interface Policy extends Component {
  spec: { variables: { name: string; expression: string }[] }
}

const read = (page: string) => readFileSync(path.join(import.meta.dirname, page), 'utf8')
const components = componentsOf()
const ofManager = ['capspot-system-manager', 'capspot-leader-election-role']
const roles = components.filter(
  ({ kind, metadata: { name } }) => kind.endsWith('Role') && ofManager.includes(name),
) as Role[]

/** The resources of the management cluster that a role of the manager names with this verb. */
function resourcesWith(verb: string): string[] {
  const rules = roles.flatMap((role) => role.rules).filter(({ verbs }) => verbs.includes(verb))
  return rules.flatMap(({ resources }) => resources).toSorted()
}

/** The resources that the page names with this verb, as plurals. */
function saidTo(verb: string): string[] {
  const [, list = ''] = new RegExp(`It ${verb} ([^.]*), and nothing else\\.`).exec(read('security.md')) ?? []
  const words = list.split(/, | and /).map((word) => word.replace('its ', '').toLowerCase())
  return words.map((word) => (word.endsWith('s') ? word : `${word}s`)).toSorted()
}

test.each([
  ['create', 'creates'],
  ['delete', 'deletes'],
])('docs/security.md names all that the manager may %s', (verb, says) => {
  expect(resourcesWith(verb)).not.toEqual([])
  expect(saidTo(says)).toEqual(resourcesWith(verb))
})

test.each(['security.md', 'clusterctl.md'])('docs/%s names every annotation that a policy guards', (page) => {
  const policy = components.find(({ metadata }) => metadata.name === 'capspot-provider-annotations') as Policy
  const { expression = '' } = policy.spec.variables.find(({ name }) => name === 'guarded') ?? {}
  const guarded = [...expression.matchAll(/spot\.cluster\.x-k8s\.io\/([a-z-]+)/g)].map(([, key = '']) => key)
  expect(guarded).toContain('attempt')
  expect(guarded.filter((key) => !read(page).includes(`\`${key}\``))).toEqual([])
})
