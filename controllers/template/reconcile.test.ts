import { beforeEach, describe, expect, it } from 'vitest'
import type { Condition } from '../../api/conditions.ts'
import { spotKind } from '../../api/kinds.ts'
import { FakeApiserver } from '../../test/support/fakes/fake-apiserver.ts'
import { cloudOf, FakeCloud } from '../../test/support/fakes/fake-cloud.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import type { NodeSize } from '../../providers/cloud.ts'
import { CloudError } from '../../api/cloud-error.ts'
import { Backoff } from '../shared/backoff.ts'
import { reconcileTemplate, type TemplatePasses } from './reconcile.ts'
import { templateKind, type MachineTemplate } from './template.ts'

const kind = 'AWSMachineTemplate'
const key = 'default/t1'
const gpu: NodeSize = {
  capacity: { cpu: '4', memory: '16384Mi', 'nvidia.com/gpu': '1' },
  nodeInfo: { architecture: 'amd64', operatingSystem: 'linux' },
}
const owner = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name: 'c1', uid: 'u' }

let apiserver: FakeApiserver
let asked: object[]
let answer: (spec: object) => NodeSize
let backoff: Backoff

beforeEach(() => {
  apiserver = new FakeApiserver()
  asked = []
  backoff = new Backoff(() => 0.5)
  answer = () => gpu
  put('AWSCluster', { metadata: { namespace: 'default', name: 'c1' } })
  putCluster({})
  putTemplate({ ownerReferences: [owner] })
})

function put(of: string, object: object): void {
  apiserver.put(of, object as never)
}

function putCluster(spec: object): void {
  const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind: 'AWSCluster', name: 'c1' }
  put('Cluster', { metadata: { namespace: 'default', name: 'c1' }, spec: { infrastructureRef, ...spec } })
}

function putTemplate(metadata: object, more: object = {}, machineSpec: object = {}): void {
  const spec = { template: { spec: { instanceType: 'g5.xlarge', ...machineSpec } } }
  put(kind, { metadata: { namespace: 'default', name: 't1', ...metadata }, spec, ...more })
}

it('of a template that is gone nothing is kept', async () => {
  answer = () => {
    throw new CloudError('invalid', { code: 'InvalidSpec', message: 'no such type' })
  }
  await reconcile()
  expect(backoff.size).toBe(1)
  apiserver.remove(kind, key)
  await reconcile()
  expect(backoff.size).toBe(0)
})

async function reconcile(more: Partial<TemplatePasses> = {}) {
  const deps: TemplatePasses = {
    notAllowed: () => undefined,
    resource: templateKind(spotKind('AWSMachine')),
    client: apiserver.client(),
    templates: apiserver.cache(kind),
    clusters: apiserver.cache('Cluster'),
    clusterResource: spotKind('AWSCluster'),
    infraClusters: apiserver.cache('AWSCluster'),
    backoff,
    cloud: () =>
      Promise.resolve({
        ...cloudOf(new FakeCloud()),
        nodeSizeOf: async (spec, scope) => {
          asked.push({ spec, region: scope.region })
          return answer(spec)
        },
      }),
    ...more,
  }
  return reconcileTemplate(key, deps, quietCtx())
}

const status = () => apiserver.get(kind, key)?.['status'] as MachineTemplate['status']
const known = expect.objectContaining({ type: 'CapacityKnown', status: 'True', reason: 'CapacityKnown' }) as Condition

describe('a machine template', () => {
  it('says in its status what its machines offer, asked for in the region of its Cluster', async () => {
    expect(await reconcile()).toBe('done')
    expect(status()).toEqual({ ...gpu, conditions: [known] })
    expect(asked).toEqual([{ spec: { instanceType: 'g5.xlarge' }, region: 'us-east-1' }])
    expect(apiserver.writes.map(({ subresource }) => subresource)).toEqual(['status'])
  })

  it('is not asked for where its namespace may not use the account', async () => {
    await reconcile({ notAllowed: () => 'Namespace default may use no account.' })
    expect(asked).toEqual([])
    expect(status()).toBeUndefined()
  })

  it('is not written again when it says so already', async () => {
    await reconcile()
    await reconcile()
    expect(apiserver.writes).toHaveLength(1)
  })

  it('no longer names what is gone', async () => {
    putTemplate({ ownerReferences: [owner] }, { status: { ...gpu, capacity: { ...gpu.capacity, 'amd.com/gpu': '1' } } })
    await reconcile()
    expect(status()).toEqual({ ...gpu, conditions: [known] })
  })

  it('is known by the label of its Cluster, too', async () => {
    putTemplate({ labels: { 'cluster.x-k8s.io/cluster-name': 'c1' } })
    await reconcile()
    expect(status()).toEqual({ ...gpu, conditions: [known] })
  })

  it.each([
    ['of no Cluster', () => putTemplate({})],
    ['on its way out', () => putTemplate({ ownerReferences: [owner], deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ['that is paused', () => putTemplate({ ownerReferences: [owner], annotations: { 'cluster.x-k8s.io/paused': '' } })],
    ['of a paused Cluster', () => putCluster({ paused: true })],
    ['of a Cluster without a place', () => putCluster({ infrastructureRef: undefined })],
    [
      'of another provider’s Cluster',
      () =>
        putCluster({
          infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSCluster', name: 'c1' },
        }),
    ],
  ])('%s is left alone, and nobody is asked', async (_, change) => {
    change()
    expect(await reconcile()).toBe('done')
    expect(asked).toEqual([])
    expect(apiserver.writes).toEqual([])
  })
})

describe('when the cloud does not say', () => {
  const fail = (kindOfError: 'invalid' | 'denied' | 'ambiguous') => {
    answer = () => {
      throw new CloudError(kindOfError, { code: 'X', message: 'no' })
    }
  }

  it.each([
    ['invalid', 600_000, 'InvalidConfiguration'],
    ['denied', 300_000, 'CredentialsDenied'],
  ] as const)('because it is %s, it says so, and asks again in a while', async (kindOfError, after, reason) => {
    fail(kindOfError)
    expect(await reconcile()).toMatchObject({ requeueAfterMs: after })
    expect(status()?.conditions).toMatchObject([
      { type: 'CapacityKnown', status: 'False', reason, message: 'The capacity is not known: X: no' },
    ])
    expect(status()?.capacity).toBeUndefined()
    // Whatever wakes it meanwhile; but another spec, or another region, is another question.
    expect(await reconcile()).toMatchObject({ reason: 'the cloud has refused; it is too early to ask again' })
    expect(asked).toHaveLength(1)
    putTemplate({ ownerReferences: [owner], generation: 2 })
    await reconcile()
    expect(asked).toHaveLength(2)
  })

  it('for a moment, that is a failure like any other', async () => {
    fail('ambiguous')
    await expect(reconcile()).rejects.toThrow('no')
    expect(await reconcile()).toMatchObject({ reason: 'the cloud has refused; it is too early to ask again' })
    expect(asked).toHaveLength(1)
  })
})

describe('with fallback', () => {
  const sizes: Readonly<Record<string, readonly [cpu: string, memory: string]>> = {
    'g5.xlarge': ['4', '16384Mi'],
    'm5.xlarge': ['4', '16Gi'],
    'm5.large': ['2', '8Gi'],
  }
  beforeEach(() => {
    answer = (spec) => {
      const { instanceType = '' } = spec as { instanceType?: string }
      const [cpu, memory] = sizes[instanceType] ?? []
      if (instanceType === 'm6g.xlarge') return { ...gpu, nodeInfo: { ...gpu.nodeInfo, architecture: 'arm64' } }
      if (!cpu || !memory) throw new CloudError('invalid', { code: 'X', message: `${instanceType} is no type.` })
      return { ...gpu, capacity: { cpu, memory } }
    }
  })
  const withTypes = (...instanceTypes: string[]) => {
    const fallback = [{ instanceTypes }, { capacityType: 'OnDemand' }]
    putTemplate({ ownerReferences: [owner] }, {}, { fallback })
    return reconcile()
  }
  const condition = (type: string) => status()?.conditions?.find((one) => one.type === type)

  it('shows what every Node has, and names the types of another size', async () => {
    await withTypes('m5.xlarge', 'm5.large', 'g5.xlarge')
    expect(status()?.capacity).toEqual({ cpu: '2', memory: '8Gi' })
    expect(condition('CapacityKnown')?.status).toBe('True')
    expect(condition('UniformCapacity')).toMatchObject({ status: 'False', reason: 'DifferentCapacity' })
    expect(condition('UniformCapacity')?.message).toContain('Of another size than g5.xlarge: m5.large.')
    expect(asked).toHaveLength(3)
  })

  it('of types of one size it says that, and of one type nothing', async () => {
    await withTypes('m5.xlarge')
    expect(condition('UniformCapacity')).toMatchObject({ status: 'True', reason: 'SameCapacity' })
    apiserver.remove(kind, key)
    await withTypes()
    expect(status()?.conditions).toEqual([known])
  })

  it('of two architectures the capacity is not known, and the condition says why', async () => {
    await withTypes('m5.xlarge', 'm6g.xlarge')
    expect(status()?.capacity).toBeUndefined()
    expect(condition('CapacityKnown')).toMatchObject({ status: 'False', reason: 'TwoArchitectures' })
    expect(condition('CapacityKnown')?.message).toContain('g5.xlarge is amd64, but spec.fallback names m6g.xlarge')
  })

  it('a type that the cloud does not know is named with its field', async () => {
    expect(await withTypes('m5.xlarge', 'm5.huge')).toMatchObject({ requeueAfterMs: 600_000 })
    expect(condition('CapacityKnown')).toMatchObject({ status: 'False', reason: 'InvalidConfiguration' })
    expect(condition('CapacityKnown')?.message).toContain('spec.fallback names m5.huge')
  })
})
