import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { AttemptPatterns } from '../../api/attempt.ts'
import { readDefinitions, schemaOf, type Schema } from '../../crds/definition.ts'
import { attemptPatterns as aws } from '../../providers/aws/observe/attempt-patterns.ts'
import { attemptPatterns as azure } from '../../providers/azure/observe/attempt-patterns.ts'
import { attemptPatterns as gcp } from '../../providers/gcp/observe/attempt-patterns.ts'
import { attemptPatterns as ibm } from '../../providers/ibm/observe/attempt-patterns.ts'

const definitions = readDefinitions(join(import.meta.dirname, '../../crds'))

it.each([
  ['AWSCluster', 'region', aws.region],
  ['AzureCluster', 'location', azure.region],
  ['AzureCluster', 'subscriptionID', azure.account],
  ['AzureCluster', 'resourceGroup', azure.within],
  ['GCPCluster', 'region', gcp.region],
  ['GCPCluster', 'project', gcp.account],
  ['IBMCluster', 'region', ibm.region],
])('what an %s may have as spec.%s an attempt may name', (kind, field, pattern) => {
  const definition = definitions.find(({ spec }) => spec.names.kind === kind)
  const at = (schema: Schema | undefined, name: string): Schema | undefined => schema?.properties?.[name]
  expect(at(at(definition && schemaOf(definition), 'spec'), field)?.['pattern']).toBe(pattern?.source)
})

const all: [string, AttemptPatterns][] = Object.entries({ aws, azure, gcp, ibm })

it.each(all)('no pattern of %s lets a part of a path or a query through', (_, patterns) => {
  for (const [name, pattern] of Object.entries<RegExp>({ ...patterns })) {
    // Two handles have a part before their id; neither part may be a step up.
    const slashes = name === 'handle' ? ['/', '//', '/a', 'a/', 'a/b/c'] : ['/', 'a/b']
    for (const text of ['', ...slashes, '..', '../a', 'a?b', 'a#b', 'a%2fb', 'a b/c', 'a\nb', 'a@b', 'a\n'])
      expect(pattern.test(text), `${name} ${JSON.stringify(text)}`).toBe(false)
  }
})
