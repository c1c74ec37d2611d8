import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Instance } from '../../api/instance.ts'
import type { Scope } from '../../api/scope.ts'
import { FleetWorld, refOf } from '../../test/support/worlds/fleet-world.ts'
import { otherAccount } from '../shared/account.ts'
import { visibilityGraceMs } from '../wire/limits.ts'

const unpinned: Scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' }
const [ours, theirs] = ['111122223333', '999988887777']
const inAccount = (account: string): Scope => ({ ...unpinned, account })

let world: FleetWorld
/** The scope of each list that the credentials were good for. */
let listed: Scope[]

beforeEach(() => {
  world = new FleetWorld()
  listed = []
  const list = world.cloud.list.bind(world.cloud)
  world.cloud.list = async function* (scope, ...others) {
    for await (const page of list(scope, ...others)) {
      listed.push(scope)
      yield page
    }
  }
})
afterEach(() => world[Symbol.asyncDispose]())

async function listsIn(ms: number): Promise<number> {
  const before = listed.length
  await world.clock.advance(ms)
  return listed.length - before
}

/** The manager goes on with other credentials: with those of another account it sees nothing of ours. */
function swapCredentials(account: string): Map<string, Instance> {
  const before = new Map(world.cloud.instances)
  world.cloud.account = account
  world.cloud.instances.clear()
  return before
}

describe('an account that is learnt', () => {
  it('is not listed twice while some of its users know it and others do not', async () => {
    world.use('AWSCluster default/c1', unpinned)
    await world.clock.advance(15_000)
    world.use('AWSCluster default/c2', inAccount(ours))
    expect(await listsIn(60_000)).toBe(4)
  })

  it('costs no list of its own: what the fleet has seen is there at once, and what is noted stays', async () => {
    const made = await world.make('default/a')
    const before = world.use('AWSMachine default/a', unpinned)
    await world.clock.advance(15_000)
    const young = await world.make('default/b')
    world.cloud.invisible.add(young.id)
    before.note(young, world.ctx)
    const after = world.use('AWSMachine default/a', inAccount(ours))
    expect(after.hasSynced).toBe(true)
    expect(after.look(refOf(made), true, world.ctx)).toMatchObject({ is: 'seen' })
    expect(after.look(refOf(young), true, world.ctx)).toMatchObject({ is: 'seen' })
    expect(after.isInherited(made.id)).toBe(true)
  })

  it('is listed as that account from then on', async () => {
    world.use('AWSMachine default/a', unpinned)
    await world.clock.advance(15_000)
    world.use('AWSMachine default/a', inAccount(ours))
    await world.clock.advance(15_000)
    expect(listed.at(-1)).toEqual(inAccount(ours))
    expect(listed).toHaveLength(3)
  })

  it('proves absence only in the fleet of the account', async () => {
    const made = await world.make('default/a')
    const [unsure, sure] = [
      world.use('AWSMachine default/a', unpinned),
      world.use('AWSMachine default/b', inAccount(ours)),
    ]
    await world.clock.advance(15_000)
    world.cloud.instances.clear()
    await world.clock.advance(15_000)
    expect(sure.look(refOf(made), true, world.ctx)).toEqual({ is: 'missing' })
    expect(unsure.look(refOf(made), true, world.ctx)).toEqual({ is: 'awaited' })
    expect(unsure.isOfOurAccount).toBe(false)
    await world.clock.advance(2 * visibilityGraceMs)
    expect(unsure.look(refOf(made), true, world.ctx)).toEqual({ is: 'awaited' })
  })
})

describe('two accounts of one identity', () => {
  it('are two scopes: of the one that the credentials are not of no list counts, and nothing is gone', async () => {
    const made = await world.make('default/a')
    const fleet = world.use('AWSMachine default/a', inAccount(ours))
    await world.clock.advance(15_000)
    const kept = swapCredentials(theirs)
    const other = world.use('AWSCluster default/c2', inAccount(theirs))
    await world.clock.advance(0)
    expect(other.hasSynced, 'listed at once').toBe(true)
    await world.clock.advance(120_000)
    expect(fleet.trouble).toMatchObject({ kind: 'denied', code: 'OtherAccount' })
    expect(fleet.look(refOf(made), true, world.ctx)).toMatchObject({ is: 'seen' })
    expect(other.ownedBy('o')).toEqual([])
    expect(other.trouble).toBeUndefined()
    for (const [id, instance] of kept) world.cloud.instances.set(id, instance)
    world.cloud.account = ours
    await world.clock.advance(15_000)
    expect(fleet.trouble).toBeUndefined()
    expect(other.trouble).toMatchObject({ code: 'OtherAccount' })
    expect(other.ownedBy('o')).toEqual([])
  })

  it('are listed at one pace, with the credentials that there are', async () => {
    world.use('AWSCluster default/c1', inAccount(ours))
    world.use('AWSCluster default/c2', inAccount(theirs))
    world.use('AWSCluster default/c3', unpinned)
    await world.clock.advance(0)
    expect(await listsIn(60_000)).toBe(4)
    swapCredentials(theirs)
    expect(await listsIn(60_000)).toBe(4)
    expect(listed.slice(-4)).toEqual(Array(4).fill(inAccount(theirs)))
  })

  it('asks as the account that the credentials are of, and bothers the adapter with no other', async () => {
    const tries = () => world.cloud.count('list')
    world.use('AWSCluster default/c1', inAccount(theirs))
    world.use('AWSCluster default/c2', inAccount(ours))
    await world.clock.advance(0)
    const before = tries()
    await world.clock.advance(60_000)
    expect(tries() - before).toBe(4)
  })

  it('a list as one account that tells another is of neither, and nothing is missing by it', async () => {
    const made = await world.make('default/a')
    const fleet = world.use('AWSMachine default/a', inAccount(ours))
    await world.clock.advance(15_000)
    const other = world.use('AWSCluster default/c2', inAccount(theirs))
    const { wholeAt } = fleet
    // The credentials change when the last page has come: it is asked as `theirs`, and they are of `ours` by then.
    world.cloud.list = async function* ({ account }) {
      if (account !== theirs) throw otherAccount(account ?? '', theirs)
      yield await Promise.resolve({ items: [], complete: true, account: ours })
    }
    await world.clock.advance(60_000)
    expect(fleet.look(refOf(made), true, world.ctx)).toMatchObject({ is: 'seen' })
    expect(fleet.wholeAt).toBe(wholeAt)
    expect(other.hasSynced).toBe(false)
  })

  it('credentials of neither serve only the fleet without an account', async () => {
    const made = await world.make('default/a')
    const [pinned, unsure] = [
      world.use('AWSMachine default/a', inAccount(ours)),
      world.use('AWSCluster default/c2', unpinned),
    ]
    await world.clock.advance(15_000)
    swapCredentials(theirs)
    await world.clock.advance(15_000)
    expect(unsure.trouble).toBeUndefined()
    expect(unsure.ownedBy('o')).toEqual([])
    expect(pinned.trouble).toMatchObject({ code: 'OtherAccount' })
    expect(pinned.look(refOf(made), true, world.ctx)).toMatchObject({ is: 'seen' })
    expect(pinned.ownedBy('o')).toHaveLength(1)
  })

  it('are not listed at all with credentials of a third, where all know their account', async () => {
    world.use('AWSCluster default/c1', inAccount(ours))
    await world.clock.advance(15_000)
    swapCredentials(theirs)
    expect(await listsIn(600_000)).toBe(0)
  })
})

it('a list that does not tell its account teaches none, and proves nothing', async () => {
  const made = await world.make('default/a')
  world.cloud.instances.clear()
  world.cloud.account = undefined
  world.use('AWSCluster default/c1', unpinned)
  await world.clock.advance(15_000)
  const fleet = world.use('AWSMachine default/a', inAccount(ours))
  expect(fleet.hasSynced).toBe(false)
  await world.clock.advance(0)
  expect(fleet.hasSynced).toBe(true)
  expect(fleet.look(refOf(made), true, world.ctx)).toEqual({ is: 'awaited' })
})

it('a list that does not tell its account says nothing of an account that was learnt before', async () => {
  await world.make('default/a')
  world.use('AWSCluster default/c1', unpinned)
  await world.clock.advance(15_000)
  world.cloud.instances.clear()
  world.cloud.account = undefined
  await world.clock.advance(15_000)
  expect(world.use('AWSMachine default/a', inAccount(ours)).hasSynced).toBe(false)
})

it('what one account was refused is not served to it as the list of nobody knows which', async () => {
  const made = await world.make('default/a')
  const [pinned, unsure] = [
    world.use('AWSMachine default/a', inAccount(ours)),
    world.use('AWSCluster default/c2', unpinned),
  ]
  await world.clock.advance(15_000)
  world.cloud.instances.clear()
  const list = world.cloud.list.bind(world.cloud)
  world.cloud.list = (scope, ...others) => {
    world.cloud.account = scope.account === undefined ? undefined : theirs
    return list(scope, ...others)
  }
  await world.clock.advance(15_000)
  expect(pinned.trouble).toMatchObject({ code: 'OtherAccount' })
  expect(pinned.look(refOf(made), true, world.ctx)).toMatchObject({ is: 'seen' })
  expect(unsure.trouble).toBeUndefined()
  expect(unsure.ownedBy('o')).toEqual([])
})

it('what comes without an account while another is refused waits for a list of its own', async () => {
  await world.make('default/a')
  world.use('AWSMachine default/a', inAccount(ours))
  await world.clock.advance(15_000)
  swapCredentials(theirs)
  await world.clock.advance(15_000)
  const unsure = world.use('AWSCluster default/c2', unpinned)
  expect(unsure.hasSynced).toBe(false)
  await world.clock.advance(0)
  expect(unsure.hasSynced).toBe(true)
  expect(unsure.ownedBy('o')).toEqual([])
})

it('subscriptions and projects stand in the address: each has a list of its own', async () => {
  for (const account of [ours, theirs]) {
    const scope: Scope = { cloud: 'gcp', identity: 'default', account, region: 'europe-west1' }
    world.cloud.account = undefined
    world.use(`GCPCluster default/${account}`, scope)
  }
  expect(await listsIn(0)).toBe(2)
})
