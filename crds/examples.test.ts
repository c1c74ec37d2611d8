import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAll } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { supportedClouds } from '../providers/registry.ts'
import { fill, variablesOf } from '../test/support/fill.ts'
import { type Definition, readDefinitions, type Schema, schemaOf } from './definition.ts'
import { validate } from './validate.ts'

interface Example {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  spec?: Record<string, unknown>
}

/** Values that a reader would fill in, each in the form of its field. */
const values: Record<string, string> = {
  CLUSTER_NAME: 'c1',
  CONTROL_PLANE_HOST: 'control-plane.example.com',
  WORKLOAD_KUBECONFIG_B64: 'e30=',
  JOIN_TOKEN: 'abcdef.0123456789abcdef',
  CA_CERT_HASH: 'sha256:00',
  KUBERNETES_VERSION: 'v1.36.3',
  AWS_REGION: 'eu-west-1',
  AWS_VPC_ID: 'vpc-0123456789abcdef0',
  AWS_SUBNET_ID: 'subnet-0123456789abcdef0',
  AWS_AVAILABILITY_ZONE: 'eu-west-1a',
  AWS_SECURITY_GROUP_ID: 'sg-0123456789abcdef0',
  AWS_AMI_ID: 'ami-0123456789abcdef0',
  AWS_GPU_AMI_ID: 'ami-0123456789abcdef1',
  AZURE_SUBSCRIPTION_ID: '5be0c1a0-0000-4000-8000-000000000001',
  AZURE_RESOURCE_GROUP: 'workers',
  AZURE_LOCATION: 'westeurope',
  AZURE_VNET_NAME: 'workers',
  AZURE_SUBNET_NAME: 'nodes',
  AZURE_IMAGE_ID: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/images/i',
  AZURE_GPU_IMAGE_ID: '/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/images/j',
  GCP_PROJECT: 'my-project',
  GCP_REGION: 'europe-west1',
  GCP_NETWORK_NAME: 'workers',
  GCP_SUBNET_NAME: 'nodes',
  GCP_IMAGE_ID: 'projects/my-project/global/images/my-image',
  GCP_GPU_IMAGE_ID: 'projects/my-project/global/images/my-gpu-image',
  IBM_REGION: 'us-south',
  IBM_ZONE: 'us-south-1',
  IBM_RESOURCE_GROUP_ID: '0123456789abcdef0123456789abcdef',
  IBM_VPC_ID: 'r006-01234567-89ab-4cde-8f01-23456789abcd',
  IBM_SUBNET_ID: '0717-01234567-89ab-4cde-8f01-23456789abcd',
  IBM_SECURITY_GROUP_ID: 'r006-01234567-89ab-4cde-8f01-23456789abce',
  IBM_IMAGE_ID: 'r006-01234567-89ab-4cde-8f01-23456789abcf',
  IBM_GPU_IMAGE_ID: 'r006-01234567-89ab-4cde-8f01-23456789abd0',
  IBM_SSH_KEY_ID: 'r006-01234567-89ab-4cde-8f01-23456789abd1',
}

const folder = join(import.meta.dirname, '..', 'examples')
const definitions = readDefinitions(import.meta.dirname)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

function examples(text: string): Example[] {
  return loadAll(fill(text, values)) as Example[]
}

test('each cloud has a Cluster and workers', () => {
  const wanted = supportedClouds.flatMap((cloud) =>
    ['cluster', 'gpu-workers', 'workers'].map((of) => `${cloud}/${of}.yaml`),
  )
  expect(files.map(({ name }) => name).toSorted()).toEqual(wanted.toSorted())
})

const all = files.flatMap(({ text }) => examples(text))

/** Fields that the schema lacks. The API server would drop them silently. */
function unknownFields(schema: Schema, value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => unknownFields(schema.items ?? {}, entry, `${path}[]`))
  if (typeof value !== 'object' || value === null || schema.additionalProperties) return []
  return Object.entries(value).flatMap(([name, field]) => {
    const known = schema.properties?.[name]
    return known ? unknownFields(known, field, `${path}.${name}`) : [`${path}.${name}`]
  })
}

describe.each(files)('$name', ({ text }) => {
  test('names the variables that the reader has to set', () => {
    const [heading = ''] = text.split('\napiVersion')
    const told = heading.match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b/g)
    expect([...new Set(told)].toSorted()).toEqual(variablesOf(text))
  })

  const ours = examples(text).flatMap((example) => {
    const definition = definitions.find(({ spec }) => spec.names.kind === example.kind)
    return definition ? [{ kind: example.kind, example, definition }] : []
  })

  test.each(ours)('$kind is of the shape of its CRD', ({ kind, example, definition }: (typeof ours)[number]) => {
    expect(validate(kind, example)).toEqual([])
    expect(unknownSpec(definition, example)).toEqual([])
  })
})

function unknownSpec(definition: Definition, { spec }: Example): string[] {
  return unknownFields(schemaOf(definition).properties?.['spec'] ?? {}, spec, 'spec')
}

test('an example is not filled in by halves', () => {
  expect(fill('${A}${B:=b}', { A: 'a' })).toBe('ab')
  expect(() => fill('region: ${REGION}', {})).toThrow(
    'The example has ${REGION}, and REGION is not set; give it a value.',
  )
})

const deployments = all
  .filter(({ kind }) => kind === 'MachineDeployment')
  .map((deployment) => ({ name: deployment.metadata.name, spec: deployment.spec ?? {} }))

describe.each(deployments)('the workers of $name', ({ spec }) => {
  const machine = (spec['template'] as { spec?: Record<string, unknown> } | undefined)?.spec

  test('end even when the workload cluster is out of reach: all three timeouts are set', () => {
    const bounds = Object.entries((machine?.['deletion'] ?? {}) as Record<string, number>)
    const names = ['nodeDeletionTimeoutSeconds', 'nodeDrainTimeoutSeconds', 'nodeVolumeDetachTimeoutSeconds']
    expect(
      bounds
        .filter(([, seconds]) => seconds > 0)
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(names)
  })

  test('have the version of their kubelets: without it core never calls them up to date', () => {
    expect(machine?.['version']).toBe(values['KUBERNETES_VERSION'])
  })

  test('are made from objects that stand beside', () => {
    const names = (kind: string) => all.filter((example) => example.kind === kind).map(({ metadata }) => metadata.name)
    const { kind = '', name } = (machine?.['infrastructureRef'] ?? {}) as { kind?: string; name?: string }
    expect(names(kind)).toContain(name)
    expect(names('Secret')).toContain(
      (machine?.['bootstrap'] as { dataSecretName?: string } | undefined)?.dataSecretName,
    )
    expect(names('Cluster')).toContain(spec['clusterName'])
  })
})

test('no workers are replaced for want of capacity: core has no backoff', () => {
  expect(all.filter(({ kind }) => kind === 'MachineHealthCheck')).toEqual([])
})

test('Cluster API sees the Secrets: each carries the label of its Cluster', () => {
  const secrets = all.filter(({ kind }) => kind === 'Secret')
  expect(secrets).not.toEqual([])
  expect(secrets.filter(({ metadata }) => metadata.labels?.['cluster.x-k8s.io/cluster-name'] !== 'c1')).toEqual([])
})
