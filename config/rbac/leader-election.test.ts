import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { expect, it } from 'vitest'
import { options } from '../options.ts'

interface Role {
  kind: string
  rules: { apiGroups: string[]; resources: string[]; resourceNames?: string[]; verbs: string[] }[]
}

it('lets the manager hold the one Lease that it asks for by default, in its own namespace, and no other', () => {
  const role = load(readFileSync(join(import.meta.dirname, 'leader_election_role.yaml'), 'utf8')) as Role
  expect(role.kind).toBe('Role')
  const anyName = role.rules.filter(({ resourceNames }) => !resourceNames)
  expect(anyName.flatMap(({ verbs }) => verbs)).toEqual(['create'])
  const byName = role.rules.filter(({ resourceNames }) => resourceNames)
  expect(byName.map(({ resourceNames, verbs }) => ({ resourceNames, verbs }))).toEqual([
    { resourceNames: [options.leaderElectionId.fallback], verbs: ['get', 'patch'] },
  ])
})
