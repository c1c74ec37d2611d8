import { randomBytes } from 'node:crypto'
import { expect, inject, it } from 'vitest'
import type { CapacityPool, CapacityPoolManager } from '../../api/generated/capacity-pool.ts'
import { capacityPools } from '../../api/kinds.ts'
import { eventually } from '../lab/eventually.ts'
import { RemediationRig } from './rigs/remediation-rig.ts'

const patience = { timeoutMs: 90_000 }
const quick = { backoff: { initialSeconds: 2, maxSeconds: 8 }, minHealthySeconds: 0 }

/** The kind has no namespace, so each test has a manager of its own name and an instance type of its own. */
class PoolsRig implements AsyncDisposable {
  readonly rig: RemediationRig
  readonly instanceType: string
  /** The name of its entries. */
  readonly manager: string
  readonly #args: readonly string[]

  private constructor(rig: RemediationRig, instanceType: string) {
    const lease = `pools-${randomBytes(3).toString('hex')}`
    this.rig = rig
    this.instanceType = instanceType
    this.manager = `capspot-system/${lease}`
    this.#args = ['--capacity-pools=true', '--leader-election-id', lease]
  }

  static async start(instanceType: string): Promise<PoolsRig> {
    const rig = await RemediationRig.start(inject('cluster'))
    await rig.lab.manager.stop()
    const pools = new PoolsRig(rig, instanceType)
    await rig.startManager(pools.#args)
    return pools
  }

  async restart(): Promise<void> {
    this.rig.lab.manager.kill()
    await this.rig.lab.manager.exited
    await this.rig.startManager(this.#args)
  }

  apply(workers: number): Promise<void> {
    return this.rig.apply('aws', workers, { instanceType: this.instanceType })
  }

  /** Its offering is one of spot in the only zone of the examples. */
  async pool(): Promise<CapacityPool> {
    const own = await this.#own()
    expect(own).toHaveLength(1)
    return own[0] as CapacityPool
  }

  async #own(): Promise<CapacityPool[]> {
    const { client, ctx } = this.rig.lab
    const { items } = await client.list<CapacityPool>(capacityPools, {}, ctx)
    return items.filter(({ spec }) => spec.instanceType === this.instanceType)
  }

  async entry(): Promise<CapacityPoolManager> {
    const entries = (await this.pool()).status?.managers?.filter(({ manager }) => manager === this.manager) ?? []
    expect(entries).toHaveLength(1)
    return entries[0] as CapacityPoolManager
  }

  async shows(state: string): Promise<CapacityPool> {
    return eventually(
      `${this.instanceType} is ${state}`,
      async () => {
        const pool = await this.pool()
        expect(pool.status?.summary?.state).toBe(state)
        return pool
      },
      patience,
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { client, ctx, manager } = this.rig.lab
    await manager.stop()
    // Another manager of the same offering has deleted it before, and this one may have ended before it came back.
    for (const { metadata } of await this.#own()) await client.delete(capacityPools, { name: metadata.name }, {}, ctx)
    await this.rig[Symbol.asyncDispose]()
  }
}

it.concurrent('a dry offering shows as closed, with its reason and next probe; with capacity again it shows as open', async () => {
  await using pools = await PoolsRig.start('m5.large')
  const { rig } = pools
  const { control } = rig.cloud('aws')
  await rig.policy('aws', quick)
  control.noCapacity()
  await pools.apply(2)
  const { spec, status: { summary = {} } = {} } = await pools.shows('Closed')
  expect(spec).toMatchObject({ cloud: 'aws', region: 'us-east-1', capacityType: 'Spot', instanceType: 'm5.large' })
  expect(summary).toMatchObject({ reason: 'InsufficientCapacity' })
  expect(Date.parse(summary.nextProbe ?? '')).toBeGreaterThan(Date.parse(summary.lastRefusal ?? ''))
  const another = async () => expect((await pools.entry()).failures).toBeGreaterThanOrEqual(2)
  await eventually('a probe was refused too', another, patience)
  control.capacityBack()
  await rig.running('aws', 2)
  const { status: { summary: open = {} } = {} } = await pools.shows('Open')
  expect(open).toMatchObject({ failures: 0 })
  expect([open.nextProbe, open.reason]).toEqual([undefined, undefined])
})

it.concurrent('deleting it forgets its pause: the machines ask again long before, and it comes back', async () => {
  await using pools = await PoolsRig.start('c5.large')
  const { rig } = pools
  const { control } = rig.cloud('aws')
  await rig.policy('aws', { backoff: { initialSeconds: 3600, maxSeconds: 3600 } })
  control.noCapacity()
  await pools.apply(2)
  const { metadata } = await pools.shows('Closed')
  await eventually('its Machines wait', async () => {
    expect((await rig.due('aws')).filter((due) => due?.reason === 'BackingOff').length).toBeGreaterThan(0)
  })
  const asked = rig.creates('aws')
  control.capacityBack()
  await rig.lab.client.delete(capacityPools, { name: metadata.name }, {}, rig.lab.ctx)
  await rig.running('aws', 2)
  expect(rig.creates('aws')).toBeGreaterThan(asked)
  const { status, metadata: after } = await pools.shows('Open')
  expect(after.uid).not.toBe(metadata.uid)
  expect(status?.summary?.forgottenAt).toBeDefined()
})

it.concurrent('two managers have an entry each, and the columns show the worse', async () => {
  await using one = await PoolsRig.start('r5.large')
  await using two = await PoolsRig.start('r5.large')
  for (const { rig } of [one, two]) await rig.policy('aws', quick)
  one.rig.cloud('aws').control.noCapacity()
  await one.apply(1)
  await two.apply(1)
  await two.rig.running('aws', 1)
  await eventually(
    'each has its entry',
    async () => expect([(await one.entry()).state, (await two.entry()).state]).toEqual(['Closed', 'Open']),
    patience,
  )
  await one.shows('Closed')
  one.rig.cloud('aws').control.capacityBack()
  await one.rig.running('aws', 1)
  await one.shows('Open')
  expect(await two.entry()).toMatchObject({ state: 'Open' })
})

it.concurrent('a manager that starts again reads what it knew: failures and interruptions go on from there', async () => {
  await using pools = await PoolsRig.start('m6i.large')
  const { rig } = pools
  await rig.policy('aws', quick)
  await pools.apply(2)
  const [taken] = await rig.running('aws', 2)
  rig.interrupt('aws', taken)
  await rig.running('aws', 2, taken)
  await eventually(
    'it is counted',
    async () => expect(await pools.entry()).toMatchObject({ interruptions: 1 }),
    patience,
  )
  await pools.shows('Avoided')
  rig.cloud('aws').control.noCapacity()
  await pools.restart()
  const [next] = await rig.running('aws', 2)
  rig.interrupt('aws', next)
  await pools.shows('Closed')
  await eventually(
    'both are counted',
    async () => expect(await pools.entry()).toMatchObject({ interruptions: 2 }),
    patience,
  )
  const before = await pools.entry()
  await pools.restart()
  rig.cloud('aws').control.capacityBack()
  await rig.running('aws', 2)
  await eventually(
    'a machine came up',
    async () => expect(await pools.entry()).toMatchObject({ interruptions: 2, failures: 0 }),
    patience,
  )
  expect((await pools.entry()).instanceSeconds).toBeGreaterThanOrEqual(before.instanceSeconds ?? 0)
})
