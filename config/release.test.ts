import { load, loadAll } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { variablesOf } from '../test/support/fill.ts'
import { clouds } from '../providers/registry.ts'
import { componentsOf, type Component } from './components.ts'
import { releaseFiles } from './release.ts'

const version = 'v0.1.0'
const files = releaseFiles({ version })
const components = loadAll(files['infrastructure-components.yaml'] ?? '') as Component[]
const imagesIn = (objects: readonly Component[]) =>
  objects.flatMap((object) =>
    [...JSON.stringify(object).matchAll(/"image":"([^"]+:[^"]+)"/g)].map(([, image]) => image),
  )

test('has what clusterctl looks for, with a template for each cloud', () => {
  const templates = Object.keys(clouds).map((cloud) => `cluster-template-${cloud}.yaml`)
  expect(Object.keys(files).toSorted()).toEqual(
    ['agent.yaml', 'infrastructure-components.yaml', 'metadata.yaml', ...templates].toSorted(),
  )
})

describe('the components', () => {
  test('are those of config/, but for the image', () => {
    const others = (objects: readonly Component[]) => objects.filter(({ kind }) => kind !== 'Deployment')
    expect(others(components)).toEqual(others(componentsOf()))
  })

  test('run the image of the version, or the one that was named', () => {
    expect(imagesIn(components)).toEqual(['localhost/cluster-api-provider-spot:v0.1.0'])
    const named = releaseFiles({ version, image: 'registry.example.com:5000/spot/manager:mine' })
    expect(imagesIn(loadAll(named['infrastructure-components.yaml'] ?? '') as Component[])).toEqual([
      'registry.example.com:5000/spot/manager:mine',
    ])
  })

  test('ask for no variable, and have no alias that a reader of YAML might refuse', () => {
    expect(files['infrastructure-components.yaml']).not.toContain('${')
    expect(files['infrastructure-components.yaml']).not.toMatch(/[:-] [&*]\w/)
  })
})

test('the agent is a manifest of its own, with its own image', () => {
  const agentOf = (text = '') => imagesIn(loadAll(text) as Component[])
  expect(agentOf(files['agent.yaml'])).toEqual(['localhost/cluster-api-provider-spot-agent:v0.1.0'])
  const named = releaseFiles({ version, agentImage: 'registry.example.com/spot/agent:mine' })
  expect(agentOf(named['agent.yaml'])).toEqual(['registry.example.com/spot/agent:mine'])
  expect(named['infrastructure-components.yaml']).toBe(files['infrastructure-components.yaml'])
})

test('the metadata says which contract the version speaks', () => {
  expect(load(files['metadata.yaml'] ?? '')).toMatchObject({
    kind: 'Metadata',
    releaseSeries: [{ major: 0, minor: 1, contract: 'v1beta2' }],
  })
})

describe.each(Object.entries(clouds))('the template of %s', (cloud, { machines, clusters }) => {
  const text = files[`cluster-template-${cloud}.yaml`] ?? ''

  test('is a Cluster with its workers', () => {
    expect((loadAll(text) as Component[]).map(({ kind }) => kind)).toEqual([
      'Secret',
      'Cluster',
      clusters.kind,
      'ExternalControlPlane',
      'Secret',
      `${machines.kind}Template`,
      'MachineDeployment',
    ])
  })

  test('says nothing of how the examples are applied', () => {
    expect(text).not.toContain('generate yaml')
    expect(variablesOf(text)).toContain('CLUSTER_NAME')
  })
})

test.each([
  ['0.1.0', '"0.1.0" is not a version; use a version such as v0.1.0.'],
  ['', '"" is not a version; use a version such as v0.1.0.'],
  ['../v0.1.0', '"../v0.1.0" is not a version'],
  [
    'v0.9.0',
    'v0.9.0 is in no series of config/metadata.yaml, and clusterctl would refuse it; add major 0, minor 9 there.',
  ],
])('%s is refused', (wrong, sentence) => {
  expect(() => releaseFiles({ version: wrong })).toThrow(sentence)
})
