import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { markInName } from '../../test/support/tag-in-name.ts'
import { hasty } from '../../test/support/fakes/fake-clock.ts'
import { openIbmAccount, type IbmAccount } from '../../test/support/clouds/ibm-account.ts'
import { wantedWith } from '../../test/support/clouds/ibm-specs.ts'
import { refusalOf } from '../../test/support/thrown-by.ts'
import type { IbmSimulatorOptions } from '../../test/simulators/ibm/simulator.ts'
import { instanceName } from '../shared/instance-name.ts'
import type { InstanceRef, Launch } from '../instances.ts'
import type { Instance } from '../../api/instance.ts'
import { tagOf } from '../shared/ownership.ts'
import { ibmCloud } from './cloud.ts'

let account: IbmAccount
let cloud: ReturnType<typeof ibmCloud>
let request: Launch['request']

async function open(options: Partial<IbmSimulatorOptions> = {}): Promise<void> {
  account = await openIbmAccount(options)
  cloud = ibmCloud({ grantedLimits: { create: { burst: 1_000, perSecond: 1_000 } } })
  const { image, subnet, region, vpc } = account.simulator.facts
  const machine = {
    image: { id: image },
    availability: { class: 'spot' as const },
    primaryNetworkInterface: { subnet },
  }
  const wanted = wantedWith({ machine, cluster: { region, network: { vpc: { id: vpc } } } })
  request = (await cloud.plan(wanted, account.ctx())).request
}
beforeEach(() => open())
afterEach(() => account[Symbol.asyncDispose]())

function launch(n = 1, over: Partial<Launch> = {}): Launch {
  const token = `token${n}`.padEnd(12, 'x')
  const userData = new TextEncoder().encode('#cloud-config\n')
  const ours = { owner: 'ownerone01', machine: `default/m${n}`, token }
  return { ...ours, scope: account.scope, request, userData, clusterName: 'c1', ...over }
}
const create = (want = launch(), by = cloud) => by.instances.create(want, account.ctx())

function refTo(want: Launch, id?: string): InstanceRef {
  const name = instanceName(want) ?? ''
  return { scope: want.scope, tag: tagOf(want), name, ...(id === undefined ? {} : { id }) }
}

async function listed(): Promise<Instance[]> {
  const all: Instance[] = []
  const ctx = { ...account.ctx(), clock: hasty(account.clock) }
  for await (const { items } of cloud.instances.list(account.scope, ctx)) all.push(...items)
  return all
}

const creating = () => account.calls()

describe('a launch', () => {
  it('of one processor says nothing of reservations, which IBM would refuse', async () => {
    const { image, subnet, region, vpc } = account.simulator.facts
    const wanted = wantedWith({
      machine: { profile: 'nxf-1x4', image: { id: image }, primaryNetworkInterface: { subnet } },
      cluster: { region, network: { vpc: { id: vpc } } },
    })
    const small = await cloud.plan(wanted, account.ctx())
    expect(await create(launch(1, { request: small.request }))).toMatchObject({ instanceType: 'nxf-1x4' })
  })

  it('costs one call', async () => {
    const before = creating()['create_instance'] ?? 0
    for (let n = 1; n <= 5; n++) await create(launch(n))
    expect(creating()).toMatchObject({ create_instance: before + 5 })
    expect(creating()).not.toHaveProperty('list_instances')
    expect(creating()).not.toHaveProperty('get_instance')
  })

  it('whose answer was lost is found by its name by another process, for which nothing was kept', async () => {
    account.simulator.control.answerLostAfterCommit('create_instance')
    expect((await refusalOf(create())).kind).toBe('ambiguous')
    const again = await create(launch(), ibmCloud())
    expect(again.tag).toEqual(markInName(launch()))
    expect(account.simulator.control.instances()).toHaveLength(1)
    expect(creating()).toMatchObject({ create_instance: 2, list_instances: 1 })
  })

  it.each(['cut-body', 'garbage', 'foreign-document', 'proxy-page'] as const)(
    'whose answer came to harm (%s) is ambiguous, and the next finds what came of it',
    async (how) => {
      account.simulator.control.spoilNext('create_instance', how)
      expect((await refusalOf(create())).kind).toBe('ambiguous')
      expect((await create()).tag).toEqual(markInName(launch()))
      expect(account.simulator.control.instances()).toHaveLength(1)
    },
  )

  it('that hangs and is given up is ambiguous, and the next finds what came of it', async () => {
    account.simulator.control.spoilNext('create_instance', 'hang')
    const call = refusalOf(create())
    await expect.poll(() => account.simulator.control.instances()).toHaveLength(1)
    account.simulator.control.clearFaults()
    expect((await call).kind).toBe('ambiguous')
    expect((await create()).tag).toEqual(markInName(launch()))
  })

  it('whose name is taken, though no list shows by whom, is asked for again', async () => {
    await create()
    account.simulator.control.lag({ minMs: 30_000, maxMs: 30_000 })
    expect(await refusalOf(create())).toMatchObject({ kind: 'ambiguous', code: 'validation_unique_failed' })
    account.simulator.control.lag(undefined)
    await expect(create()).resolves.toMatchObject({ tag: markInName(launch()) })
  })

  it('that is refused while an earlier one was carried out is what came of that: it took the last of the quota', async () => {
    account.simulator.control.answerLostAfterCommit('create_instance')
    await refusalOf(create())
    account.simulator.control.failNext('create_instance', 1, { code: 'over_quota', message: 'No more.' })
    await expect(create()).resolves.toMatchObject({ tag: markInName(launch()) })
  })

  it('that is refused, where nobody can tell what became of an earlier one, is ambiguous', async () => {
    account.simulator.control.failNext('create_instance', 1, { code: 'over_quota', message: 'No more.' })
    account.simulator.control.failNext('list_instances', 1, { code: 'internal_error', message: 'Oops.' })
    const error = await refusalOf(create())
    expect(error).toMatchObject({ kind: 'ambiguous', code: 'internal_error' })
    expect(error.message).toContain('over_quota')
  })

  it('of something that IBM does not find can never succeed', async () => {
    account.simulator.control.failNext('create_instance', 1, { code: 'not_found', message: 'Image not found' })
    expect(await refusalOf(create())).toMatchObject({ kind: 'invalid', code: 'not_found' })
  })

  it('for which the account has too much by now is refused by its quota', async () => {
    account.simulator.control.quota('spotInstances', 0)
    expect(await refusalOf(create())).toMatchObject({ kind: 'quota', code: 'over_quota' })
  })

  it('is not taken for what has its names in another place: that is left alone', async () => {
    const elsewhere = { launch: { ...(request as { launch: object }).launch, profile: { name: 'bxf-4x16' } } }
    const other = await create(launch(1, { request: elsewhere }))
    expect(await refusalOf(create())).toMatchObject({ kind: 'conflict', code: 'NotOurs' })
    expect(account.simulator.control.instances().map(({ id }) => id)).toEqual([other.id])
  })

  it('that was ended makes no second instance', async () => {
    const made = await create()
    await cloud.instances.terminate(refTo(launch(), made.id), account.ctx())
    await account.clock.advance(60_000)
    await expect(create()).resolves.toMatchObject({ id: made.id, state: 'terminated' })
    expect(account.simulator.control.instances()).toEqual([])
  })
})

describe('a list', () => {
  it('comes in pages of a hundred, and shows ours among those of others, whatever their class', async () => {
    await account[Symbol.asyncDispose]()
    await open()
    for (let n = 1; n <= 120; n++) await create(launch(n))
    const standard = { launch: { ...(request as { launch: object }).launch, availability: { class: 'standard' } } }
    await create(launch(121, { request: standard }))
    await account.clock.advance(60_000)
    const pages: number[] = []
    for await (const { items, complete } of cloud.instances.list(account.scope, account.ctx())) {
      pages.push(items.length)
      expect(complete).toBe(pages.length === 2)
    }
    expect(pages).toEqual([100, 21])
    expect(creating()['list_instances']).toBe(2)
  })

  it.each([
    'repeated-token',
    'lost-page',
    'cut-body',
    'half-body',
    'garbage',
    'foreign-document',
    'proxy-page',
  ] as const)('that comes to harm (%s) is never taken for a whole one', async (how) => {
    for (let n = 1; n <= 101; n++) await create(launch(n))
    account.simulator.control.spoilNext('list_instances', how, how === 'repeated-token' ? 5 : 3)
    const thrown = await refusalOf(listed())
    expect(thrown.kind).toBe('transient')
  })

  it('shows what was renamed no more, and a look at it proves nothing', async () => {
    const made = await create()
    await rename(made.id)
    expect(await listed()).toEqual([])
    await expect(cloud.instances.find(refTo(launch(), made.id), account.ctx())).resolves.toMatchObject({
      tag: undefined,
    })
    expect(await refusalOf(cloud.instances.terminate(refTo(launch(), made.id), account.ctx()))).toMatchObject({
      kind: 'conflict',
      code: 'NotOurs',
    })
  })
})

/** As its owner would, by the API. */
async function rename(id: string): Promise<void> {
  const { url, facts } = account.simulator
  const form = {
    grant_type: 'urn:ibm:params:oauth:grant-type:apikey',
    apikey: facts.apikey,
    response_type: 'cloud_iam',
  }
  const answer = await fetch(`${url}/identity/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const renamed = await fetch(`${url}/v1/instances/${id}?version=2026-08-04&generation=2`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ name: 'renamed' }),
  })
  expect(renamed.status).toBe(200)
}

describe('what serves', () => {
  it('and is called failed is not at its end: it is not ready until IBM says better', async () => {
    const made = await create()
    await account.clock.advance(60_000)
    account.simulator.control.fail(made.id)
    expect(await listed()).toMatchObject([{ id: made.id, state: 'pending' }])
  })

  it('and is taken back is interrupted, also while it is stopping where IBM says so then', async () => {
    await account[Symbol.asyncDispose]()
    await open({ behaviour: { preemptionReasonFrom: 'stopping' }, noticeMs: 30_000 })
    const made = await create()
    await account.clock.advance(60_000)
    account.simulator.control.interrupt(made.id)
    expect(await listed()).toMatchObject([{ state: 'stopping', interrupted: true }])
    await account.clock.advance(60_000)
    expect(await listed()).toMatchObject([{ state: 'stopped', interrupted: true, started: true }])
  })
})

describe('to end it', () => {
  const end = (ref: InstanceRef) => cloud.instances.terminate(ref, account.ctx())

  it('costs a look and a call, and a look until it is gone', async () => {
    const made = await create()
    await account.clock.advance(60_000)
    const ref = refTo(launch(), made.id)
    expect(await end(ref)).toBe('going')
    expect(await end(ref)).toBe('going')
    await account.clock.advance(60_000)
    expect(await end(ref)).toBe('gone')
    expect(creating()).toMatchObject({ get_instance: 3, delete_instance: 1 })
    expect(account.simulator.control.remains()).toEqual({ instances: [], interfaces: [], disks: [], addresses: [] })
  })

  it.each(['refused', 'accepted'] as const)('while it comes up (IBM has %s that) takes until it is up', async (how) => {
    await account[Symbol.asyncDispose]()
    await open({ behaviour: { deletionInTransition: how } })
    const made = await create()
    const answers: string[] = []
    while (answers.at(-1) !== 'gone') {
      answers.push(await end(refTo(launch(), made.id)))
      expect(answers.length).toBeLessThan(5)
      await account.clock.advance(60_000)
    }
    expect(answers).toEqual(how === 'refused' ? ['later', 'going', 'gone'] : ['going', 'gone'])
    expect(account.simulator.control.remains().instances).toEqual([])
  })

  it('which somebody else did meanwhile, is to find it gone', async () => {
    const made = await create()
    const held = account.simulator.control.hold('delete_instance', 'before')
    const call = end(refTo(launch(), made.id))
    await held.reached
    account.simulator.control.vanish(made.id)
    held.release()
    expect(await call).toBe('gone')
  })

  it('is not done by a "not found" that is not IBM’s', async () => {
    const made = await create()
    account.simulator.control.spoilNext('get_instance', 'proxy-page')
    expect((await refusalOf(end(refTo(launch(), made.id)))).kind).toBe('transient')
    account.simulator.control.failNext('get_instance', 1, { code: 'something_new', message: 'x', status: 404 })
    expect((await refusalOf(end(refTo(launch(), made.id)))).kind).toBe('transient')
    expect(account.simulator.control.instances()).toHaveLength(1)
  })
})
