import { CreateTagsCommand, DeleteTagsCommand, DescribeTagsCommand, type Tag } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { refusalOf, startEc2, type Ec2Fixture } from './fixture.ts'

const create = (ec2: Ec2Fixture, Resources: string[], Tags: Tag[]) =>
  ec2.client.send(new CreateTagsCommand({ Resources, Tags }))

test('tags of a launch are on the instance, its volumes, its interfaces and its spot request', async () => {
  await using ec2 = await startEc2()
  const kinds = ['instance', 'volume', 'network-interface', 'spot-instances-request'] as const
  await ec2.launch({
    TagSpecifications: kinds.map((ResourceType) => ({ ResourceType, Tags: [{ Key: 'kind', Value: ResourceType }] })),
  })
  const { Tags = [] } = await ec2.client.send(new DescribeTagsCommand({}))
  expect(Tags.map(({ ResourceType, Key, Value }) => [ResourceType, Key, Value])).toEqual(
    kinds.map((kind) => [kind, 'kind', kind]),
  )
  expect(Tags.map(({ ResourceId }) => ResourceId?.split('-')[0])).toEqual(['i', 'vol', 'eni', 'sir'])
})

test('CreateTags adds and overwrites, DeleteTags takes by key, by value, or all', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  const remove = (Tags?: Tag[]) => ec2.client.send(new DeleteTagsCommand({ Resources: [id], Tags }))
  const tags = async () => ((await ec2.look(id)).Tags ?? []).map(({ Key, Value }) => `${Key}=${Value}`)

  await create(
    ec2,
    [id],
    [
      { Key: 'Name', Value: 'other' },
      { Key: 'a', Value: '1' },
      { Key: 'b', Value: '' },
    ],
  )
  expect(await tags()).toEqual(['Name=other', 'a=1', 'b='])
  await remove([{ Key: 'a', Value: '2' }, { Key: 'b' }])
  expect(await tags()).toEqual(['Name=other', 'a=1'])
  await remove([{ Key: 'a', Value: '1' }])
  expect(await tags()).toEqual(['Name=other'])
  await remove()
  expect(await tags()).toEqual([])
})

test('one resource that is not there, and none is tagged', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  const refusal = await refusalOf(create(ec2, [id, 'i-0123456789abcdef0'], [{ Key: 'a', Value: '1' }]))
  expect(refusal).toMatchObject({ code: 'InvalidInstanceID.NotFound' })
  expect((await ec2.look(id)).Tags).toEqual([{ Key: 'Name', Value: 'worker' }])
})

test('the limit of 50 counts those that are there already', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne()
  const some = (count: number) => Array.from({ length: count }, (_, at) => ({ Key: `k${at}`, Value: '' }))
  expect(await refusalOf(create(ec2, [id], some(50)))).toMatchObject({ code: 'TagLimitExceeded' })
  await create(ec2, [id], some(49))
  await create(ec2, [id], some(49))
})

test('while tags are shown in the metadata no slash can be added later either', async () => {
  await using ec2 = await startEc2()
  const id = await ec2.launchOne({ MetadataOptions: { InstanceMetadataTags: 'enabled' } })
  const refusal = await refusalOf(create(ec2, [id], [{ Key: 'kubernetes.io/role', Value: 'node' }]))
  expect(refusal).toMatchObject({
    code: 'InvalidParameterValue',
    message: expect.stringContaining('not a valid tag key') as string,
  })
})
