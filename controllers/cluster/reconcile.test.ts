import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { annotations, finalizers } from '../../api/labels.ts'
import { CloudError } from '../../api/cloud-error.ts'
import { ClusterWorld, namespace, ref } from '../../test/support/worlds/cluster-world.ts'
import { cloudOf } from '../../test/support/fakes/fake-cloud.ts'

let world: ClusterWorld
beforeEach(async () => {
  world = await ClusterWorld.start()
})
afterEach(() => world[Symbol.asyncDispose]())

describe('the owner id', () => {
  it('is minted on the Cluster, copied, and held on to by the finalizer before anything is provisioned', async () => {
    await world.pass()
    expect(world.ownerId).toMatch(/^[a-z][a-z0-9]{9}$/)
    expect(world.object?.metadata.annotations?.[annotations.ownerId]).toBe(world.ownerId)
    expect(world.object?.metadata.finalizers).toEqual([finalizers.cluster])
    expect(world.object?.status?.initialization?.provisioned).toBe(true)
    expect(world.condition('Ready')).toMatchObject({ status: 'True', reason: 'Provisioned' })
  })

  it('is reported without a word on the network, which nobody has looked for', async () => {
    await world.pass()
    expect(world.condition('Ready')?.message).toBe(
      'Machines can be created. Each launch looks for the network that the spec names.',
    )
  })

  it('is minted once', async () => {
    await world.pass()
    const first = world.ownerId
    await world.pass()
    expect(world.ownerId).toBe(first)
  })

  it('comes back from the copy when somebody wrote the Cluster anew without it', async () => {
    await world.pass()
    const first = world.ownerId
    world.apiserver.put('Cluster', { metadata: { namespace, name: 'c1' }, spec: { infrastructureRef: ref } } as never)
    await world.pass()
    expect(world.ownerId).toBe(first)
  })

  it('is a new one for a copy of another Cluster’s object', async () => {
    const copied = { [annotations.ownerId]: 'of-another' }
    const infrastructureRef = { ...ref, name: 'c0' }
    world.apiserver.put('Cluster', { metadata: { namespace, name: 'c0' }, spec: { infrastructureRef } } as never)
    world.apiserver.put('AWSCluster', { metadata: { namespace, name: 'c0', annotations: copied }, spec: {} } as never)
    world.apiserver.put('AWSCluster', {
      ...world.object,
      metadata: { ...world.object?.metadata, annotations: copied },
    } as never)
    await world.pass()
    expect(world.ownerId).not.toBe('of-another')
  })
})

describe('the failure domains', () => {
  const say = (...names: string[]) => {
    const failureDomainsOf = () => names.map((name) => ({ name, controlPlane: false }))
    world.deps = { ...world.deps, cloud: () => Promise.resolve({ ...cloudOf(world.cloud), failureDomainsOf }) }
  }
  const said = () => world.object?.status?.failureDomains

  it('are those of the cloud’s own reading of the spec, and change with it', async () => {
    say('us-east-1a', 'us-east-1b')
    await world.pass()
    expect(said()).toEqual([
      { name: 'us-east-1a', controlPlane: false },
      { name: 'us-east-1b', controlPlane: false },
    ])
    say()
    await world.pass()
    expect(said()).toEqual([])
  })

  it('are not spoken of where there never were any', async () => {
    await world.pass()
    expect(world.object?.status).not.toHaveProperty('failureDomains')
  })
})

describe('while the cloud refuses to list', () => {
  const denied = new CloudError('denied', { code: 'AuthFailure', message: 'Not you.' })

  it('says so, once, and that it is provisioned all the same; and no more when it is over', async () => {
    world.cloud.listFault = denied
    await world.pass(15_000)
    expect(world.condition('Ready')).toMatchObject({ status: 'False', reason: 'CredentialsDenied' })
    expect(world.condition('Ready')?.message).toContain('. AuthFailure: Not you. ')
    expect(world.object?.status?.initialization?.provisioned).toBe(true)
    const writes = world.apiserver.writes.length
    await world.pass()
    expect(world.apiserver.writes).toHaveLength(writes)

    world.cloud.listFault = undefined
    await world.pass(60_000)
    expect(world.condition('Ready')).toMatchObject({ status: 'True', reason: 'Provisioned' })
  })

  it('does not speak of what passes by itself', async () => {
    world.cloud.listFault = new CloudError('ambiguous', { code: 'ServiceUnavailable', message: 'Not now.' })
    await world.pass(15_000)
    expect(world.condition('Ready')).toMatchObject({ status: 'True', reason: 'Provisioned' })
  })
})

describe('an externally managed infrastructure cluster', () => {
  const managedBy = 'cluster.x-k8s.io/managed-by'
  it.each(['annotations', 'labels'])(
    'by %s is not touched, and its Cluster has an owner id all the same',
    async (by) => {
      const { metadata, ...rest } = world.object as NonNullable<typeof world.object>
      world.apiserver.put('AWSCluster', { ...rest, metadata: { ...metadata, [by]: { [managedBy]: 'terraform' } } })
      await world.pass()
      expect(world.ownerId).toMatch(/^[a-z][a-z0-9]{9}$/)
      expect(world.apiserver.writes.filter(({ kind }) => kind === 'AWSCluster')).toEqual([])
      const first = world.ownerId
      await world.pass()
      expect(world.ownerId).toBe(first)
    },
  )
})

describe('while paused', () => {
  const pause = (paused: boolean) => {
    const cluster = world.apiserver.get('Cluster', 'default/c1')
    world.apiserver.put('Cluster', { ...cluster, spec: { infrastructureRef: ref, paused } } as never)
  }

  it('says so, and no longer when it goes on', async () => {
    await world.pass()
    expect(world.condition('Paused')).toMatchObject({ status: 'False', reason: 'NotPaused' })
    pause(true)
    await world.pass()
    expect(world.condition('Paused')).toMatchObject({ status: 'True', reason: 'Paused' })
    const writes = world.apiserver.writes.length
    await world.pass()
    expect(world.apiserver.writes).toHaveLength(writes)
    pause(false)
    await world.pass()
    expect(world.condition('Paused')).toMatchObject({ status: 'False', reason: 'NotPaused' })
  })

  it('mints nothing', async () => {
    pause(true)
    await world.pass()
    expect(world.ownerId).toBe('')
  })
})

it('a Cluster that refers to another infrastructure cluster of that name gets no owner id from ours', async () => {
  const other = { ...ref, apiGroup: 'infrastructure.cluster.x-k8s.io' }
  const cluster = world.apiserver.get('Cluster', 'default/c1')
  world.apiserver.put('Cluster', { ...cluster, spec: { infrastructureRef: other } } as never)
  await world.pass()
  expect(world.ownerId).toBe('')
  expect(world.condition('Ready')).toMatchObject({ status: 'Unknown', reason: 'WaitingForCluster' })
  expect(world.object?.status?.initialization?.provisioned).toBeUndefined()
})

describe('the sources of notices', () => {
  const sources = [{ source: 'Nodes', works: false, message: 'Refused.' }]

  it('are not told of before one is asked', async () => {
    await world.pass()
    expect(world.condition('NoticeSources')).toBeUndefined()
  })

  it('are told of, and taken back when none is asked any more', async () => {
    world.sources = sources
    await world.pass()
    expect(world.condition('NoticeSources')).toMatchObject({ status: 'False', message: 'Nodes: Refused.' })
    expect(world.condition('Ready')).toMatchObject({ status: 'True' })
    world.sources = []
    await world.pass()
    expect(world.condition('NoticeSources')).toMatchObject({ status: 'Unknown', reason: 'NoneAsked' })
  })
})
