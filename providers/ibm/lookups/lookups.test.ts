import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openIbmAccount, type IbmAccount } from '../../../test/support/clouds/ibm-account.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { Vpc } from '../wire/client.ts'
import { Lookups } from './lookups.ts'

let account: IbmAccount
let lookups: Lookups

async function open(behaviour = {}) {
  account = await openIbmAccount({ behaviour })
  lookups = new Lookups(new Vpc())
}
beforeEach(() => open())
afterEach(() => account[Symbol.asyncDispose]())

describe('a profile', () => {
  const profile = (name: string) => lookups.profile(name, account.scope, account.ctx())

  it('says in which classes it is sold; its name does not', async () => {
    expect(await profile('bxf-2x8')).toMatchObject({ classes: ['standard', 'spot'], usualClass: 'standard' })
    expect(await profile('bx2-2x8')).toMatchObject({ classes: ['standard'], usualClass: 'standard' })
    expect(await profile('gx3-64x320x4l4')).toMatchObject({ classes: ['spot'], usualClass: 'spot' })
  })

  it('says what a Node has, and where there is such hardware', async () => {
    expect(await profile('gx3-48x240x2l40s')).toMatchObject({
      cpus: 48,
      memoryGiB: 240,
      architecture: 'amd64',
      devices: { 'nvidia.com/gpu': 2 },
      zones: ['us-south-1', 'us-south-3'],
    })
  })

  it('says so too where its numbers are lists to choose from', async () => {
    await account[Symbol.asyncDispose]()
    await open({ vcpuCount: 'enum' })
    expect(await profile('bxf-4x16')).toMatchObject({ cpus: 4, memoryGiB: 16 })
  })

  it('that is not there is no error', async () => {
    expect(await profile('zz9-1x1')).toBeUndefined()
  })
})

describe('the rest', () => {
  it('images are found by name, in every state, and by id', async () => {
    const [image, ...others] = await lookups.imagesNamed(
      'capibm-ubuntu-24-04-kube-v1-36-3',
      account.scope,
      account.ctx(),
    )
    expect(new Set([image, ...others].map((one) => one?.isPrivate))).toEqual(new Set([false, true]))
    const id = account.simulator.facts.image
    expect(await lookups.image(id, account.scope, account.ctx())).toMatchObject({
      id,
      usable: 'everywhere',
      isWindows: false,
    })
    const usable = async (name: string) =>
      (await lookups.imagesNamed(name, account.scope, account.ctx())).map((one) => one.usable)
    expect(await usable('arriving')).toEqual([['us-south-1']])
    expect(await usable('obsolete')).toEqual([[]])
    expect(await usable('nothing-of-the-kind')).toEqual([])
    expect(await lookups.image('r006-none', account.scope, account.ctx())).toBeUndefined()
  })

  it('a subnet has its zone and its VPC', async () => {
    const { subnet, vpc, zones } = account.simulator.facts
    expect(await lookups.subnet(subnet, account.scope, account.ctx())).toEqual({ id: subnet, zone: zones[0], vpc })
    expect(await lookups.subnet('0717-none', account.scope, account.ctx())).toBeUndefined()
  })

  it('keys and the security groups of a VPC have names', async () => {
    const { vpc, key } = account.simulator.facts
    expect(await lookups.keys(account.scope, account.ctx())).toMatchObject([{ id: key, name: 'spot' }])
    const names = (await lookups.securityGroups(vpc, account.scope, account.ctx())).map(({ name }) => name)
    expect(names.toSorted()).toEqual(['spot-default', 'spot-nodes', 'spot-storage'])
    expect(await lookups.securityGroups(undefined, account.scope, account.ctx())).toHaveLength(4)
  })
})

describe('what was asked', () => {
  const ask = (name = 'bxf-2x8') => lookups.profile(name, account.scope, account.ctx())

  it('is asked once by all who ask at the same time, and by nobody after that for an hour', async () => {
    await Promise.all(Array.from({ length: 50 }, () => ask()))
    await account.clock.advance(59 * 60_000)
    await ask()
    expect(account.calls()).toEqual({ get_instance_profile: 1 })
    await account.clock.advance(60_000)
    await ask()
    expect(account.calls()).toEqual({ get_instance_profile: 2 })
  })

  it('without an answer is asked again at once', async () => {
    account.simulator.control.failNext('get_instance_profile', 1, { code: 'internal_error', message: 'Oops.' })
    await expect(ask()).rejects.toBeInstanceOf(CloudError)
    await expect(ask()).resolves.toBeDefined()
  })

  it('with an answer that is not IBM’s is not known', async () => {
    account.simulator.control.spoilNext('get_instance_profile', 'foreign-document')
    await expect(ask()).rejects.toMatchObject({ kind: 'transient', code: 'ForeignAnswer' })
    account.simulator.control.spoilNext('get_instance_profile', 'proxy-page')
    await expect(ask()).rejects.toMatchObject({ kind: 'transient', code: 'HTTP 502' })
  })

  it('in vain is asked again after half a minute, by one for all', async () => {
    for (let n = 0; n < 5; n++) await ask('zz9-1x1')
    expect(account.calls()).toEqual({ get_instance_profile: 1 })
    await account.clock.advance(30_000)
    await ask('zz9-1x1')
    expect(account.calls()).toEqual({ get_instance_profile: 2 })
  })
})

it('a list of several pages is read to its end', async () => {
  const pages: Record<string, { items: { id: string; name: string }[]; next?: string }> = {
    '': { items: [{ id: '1', name: 'a' }], next: 'second' },
    second: { items: [], next: 'third' },
    third: { items: [{ id: '2', name: 'b' }] },
  }
  const vpc = {
    call: ({ request }: { request: { query?: { start?: string } } }) =>
      Promise.resolve(pages[request.query?.start ?? '']),
  }
  const found = await new Lookups(vpc as unknown as Vpc).keys(account.scope, account.ctx())
  expect(found.map(({ id }) => id)).toEqual(['1', '2'])
})
