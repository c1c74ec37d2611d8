import { beforeEach, describe, expect, it } from 'vitest'
import { annotations, requests } from '../../../api/labels.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Launch } from '../../../providers/instances.ts'
import { fakeScope } from '../../../test/support/fakes/fake-cloud.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

let world: MachineWorld
beforeEach(async () => {
  world = await MachineWorld.begun()
})

const full = new CloudError('subnet', { code: 'IP_SPACE_EXHAUSTED', message: 'No address is free.' })
const unanswered = new CloudError('ambiguous', { code: 'Timeout', message: 'There was no answer.' })
const busy = new CloudError('transient', { code: 'Busy', message: 'Not now.' })
const alive = () => [...world.cloud.instances.values()].filter(({ state }) => state !== 'terminated')
const launchOf = (token: string): Launch => ({
  owner: 'owner-1',
  machine: 'default/m1',
  token,
  clusterName: 'c1',
  scope: fakeScope,
  request: { instanceType: 'm5.large' },
  userData: new Uint8Array(),
})
const quarterMinutes = async (times: number): Promise<void> => {
  for (let time = 0; time < times; time++) {
    await world.pass()
    await world.clock.advance(15_000)
  }
}

it.each(['rung', 'constructor', '__proto__'])(
  'a refusal of a kind that this version does not know, %s, stands: the machine failed, and nothing more is asked',
  async (unknown) => {
    const error = new CloudError('capacity', { code: 'NoCapacity', message: 'None.' })
    world.cloud.createFaults.push({ when: 'before', error })
    await world.pass()
    const refused = { kind: unknown, code: 'NewCode', message: 'No rung is left.', isFinal: true }
    const attempt = JSON.stringify({ ...world.attempt, refused })
    const metadata = { ...world.machine?.metadata, annotations: { [annotations.attempt]: attempt } }
    world.apiserver.put(kind, { ...world.machine, metadata } as never)
    await world.restart()
    expect(await world.pass()).toBe('done')
    expect(world.ready).toMatchObject({ status: 'False', reason: 'LaunchFailed' })
    expect(world.ready?.message).toContain('NewCode: No rung is left.')
    expect(world.cloud.count('create')).toBe(1)
  },
)

it('a full subnet that the call finds is not left before a list shows what an earlier call has made', async () => {
  world.cloud.createFaults.push({ when: 'before', error: unanswered })
  await world.pass()
  await world.listed()
  world.cloud.listFault = busy
  const late = await world.cloud.create(launchOf(world.attempt?.token ?? ''), quietCtx())
  for (let times = 0; times < 20; times++) world.cloud.createFaults.push({ when: 'before', error: full })
  await quarterMinutes(20)
  expect(world.attempt).toMatchObject({ n: 1, at: { subnet: 'subnet-a' } })
  world.cloud.listFault = undefined
  await quarterMinutes(20)
  expect(world.attempt?.handle).toBe(late.id)
  expect(alive().map(({ id }) => id)).toEqual([late.id])
})

describe('a full subnet that the cloud finds after its yes', () => {
  /** Says yes, then finds the subnet full. */
  const acceptAndFail = async (): Promise<string> => {
    world.cloud.accepting = true
    await world.pass()
    const handle = world.attempt?.handle ?? ''
    world.cloud.set(handle, 'stopped', { failure: full })
    await world.listed()
    return handle
  }
  /** As time passes: the cloud ends what it was asked to end, lists show it, and the machine is woken. */
  const settle = async (): Promise<void> => {
    for (const { id, state } of world.cloud.instances.values()) {
      if (state === 'terminating') world.cloud.set(id, 'terminated')
    }
    await world.listed()
    await world.pass()
  }

  it('is left for another subnet when nothing is left there, and the machine never fails', async () => {
    const first = await acceptAndFail()
    await world.pass()
    expect(world.attempt).toMatchObject({ n: 1, refused: { kind: 'subnet', isFinal: true, goesOn: true } })
    expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'Launching' })
    expect(world.cloud.instances.get(first)?.state).toBe('terminating')
    await settle()
    expect(world.attempt).toMatchObject({ n: 2, token: 'token-2', exclude: ['subnet-a'], at: { subnet: 'subnet-b' } })
    expect(world.attempt?.refused).toBeUndefined()
    await world.pass()
    expect(alive().map(({ id }) => id)).toEqual([world.attempt?.handle])
    expect(world.attempt?.handle).not.toBe(first)
    world.cloud.set(world.attempt?.handle ?? '', 'running', { started: true })
    await settle()
    expect(world.ready).toMatchObject({ status: 'True', reason: 'Running' })
    expect(world.cloud.count('create')).toBe(2)
    expect(world.events.map(({ reason }) => reason)).not.toContain('SubnetFull')
  })

  it('is not left while the cloud has not ended what is there, whatever wakes the machine', async () => {
    await acceptAndFail()
    for (let minute = 0; minute < 5; minute++) {
      await world.pass()
      await world.clock.advance(60_000)
    }
    expect(world.attempt).toMatchObject({ n: 1, refused: { goesOn: true } })
    expect(world.cloud.count('create')).toBe(1)
  })

  it('is left by another process too, whenever the one before was killed', async () => {
    await acceptAndFail()
    await world.restart()
    await world.pass()
    await world.restart()
    await world.listed()
    for (let minute = 0; minute < 4 && world.attempt?.n === 1; minute++) {
      await settle()
      await world.clock.advance(60_000)
    }
    expect(world.attempt).toMatchObject({ n: 2, holder: 'process-3' })
    await world.restart()
    await world.pass()
    await settle()
    expect(world.attempt).toMatchObject({ n: 2, at: { subnet: 'subnet-b' } })
    expect(alive()).toHaveLength(1)
    expect(world.cloud.count('create')).toBe(2)
  })

  it('is not left while the cloud refuses to end what is there, and the machine says so', async () => {
    await acceptAndFail()
    world.cloud.terminate = () =>
      Promise.reject(new CloudError('denied', { code: 'AccessDenied', message: 'Not allowed to delete.' }))
    await world.pass()
    expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'Launching' })
    expect(world.ready?.message).toContain('AccessDenied: Not allowed to delete.')
    const writes = world.apiserver.writes.length
    await world.pass()
    expect(world.apiserver.writes).toHaveLength(writes)
    await quarterMinutes(20)
    expect(world.attempt).toMatchObject({ n: 1, refused: { goesOn: true } })
    expect(world.ready?.message).toContain('AccessDenied')
  })

  it('fails the machine where no other subnet fits', async () => {
    world.places.splice(0, 3, 'subnet-a')
    await acceptAndFail()
    await world.pass()
    await settle()
    expect(world.attempt?.refused).toMatchObject({ kind: 'subnet', isFinal: true })
    expect(world.attempt?.refused?.goesOn).toBeUndefined()
    expect(world.ready).toMatchObject({ status: 'False', reason: 'SubnetFull' })
    expect(world.cloud.count('create')).toBe(1)
    expect(alive()).toEqual([])
  })

  it('fails the machine where the others are gone by then', async () => {
    await acceptAndFail()
    await world.pass()
    expect(world.attempt?.refused?.goesOn).toBe(true)
    world.places.splice(0, 3, 'subnet-a')
    await settle()
    expect(world.ready).toMatchObject({ status: 'False', reason: 'SubnetFull' })
    expect(world.attempt).toMatchObject({ n: 1, refused: { kind: 'subnet' } })
    expect(world.cloud.count('create')).toBe(1)
  })

  it('tells nothing of the next instance: one that no list has shown yet is awaited, though the first was seen', async () => {
    await acceptAndFail()
    await world.pass()
    await settle()
    world.apiserver.beforeWrite = (patch) => {
      if (JSON.stringify(patch).includes('instanceState')) throw new Error('SIGKILL')
    }
    await world.pass()
    world.apiserver.beforeWrite = () => {}
    const { handle = '' } = world.attempt ?? {}
    world.cloud.invisible.add(handle)
    await world.restart()
    await world.pass()
    await settle()
    expect(world.attempt).toMatchObject({ n: 2, handle })
    expect(world.machine?.status?.instanceState).toBe('stopped')
    expect(world.ready).toMatchObject({ status: 'Unknown' })
    expect(world.cloud.count('find')).toBe(0)
  })

  it('is left though the next plan fails for a while, which is not tried all the time', async () => {
    await acceptAndFail()
    world.planFault = busy
    await world.pass()
    expect(world.attempt?.refused).toMatchObject({ kind: 'subnet', goesOn: true })
    await settle()
    expect(world.ready).toMatchObject({ status: 'Unknown' })
    expect(world.ready?.message).toContain('Busy')
    const writes = world.apiserver.writes.length
    world.planFault = new CloudError('transient', { code: 'Busy', message: 'Not now either.' })
    await world.pass()
    expect(world.apiserver.writes).toHaveLength(writes)
    world.planFault = undefined
    await world.clock.advance(5_000)
    await world.pass()
    expect(world.attempt).toMatchObject({ n: 2, at: { subnet: 'subnet-b' } })
  })

  it('is left for an instance of which nobody has confirmed that it is gone', async () => {
    await acceptAndFail()
    await world.pass()
    const confirmed = { ...world.machine?.metadata.annotations, [requests.confirmGone]: '' }
    world.apiserver.put(kind, {
      ...world.machine,
      metadata: { ...world.machine?.metadata, annotations: confirmed },
    } as never)
    const proofs: unknown[] = []
    const terminate = world.cloud.terminate.bind(world.cloud)
    world.cloud.terminate = (which, ctx) => {
      proofs.push([which.tag.token, which.needsNoProof])
      return terminate(which, ctx)
    }
    await settle()
    expect(world.attempt?.n).toBe(2)
    expect(world.machine?.metadata.annotations).not.toHaveProperty([requests.confirmGone])
    await world.pass()
    world.apiserver.markDeleted(kind, 'default/m1', '2026-01-01T00:10:00Z')
    await settle()
    expect(proofs).toEqual([['token-2', undefined]])
  })

  it('is not left before a list shows what a late call has made, however long lists fail', async () => {
    world.cloud.createFaults.push({ when: 'before', error: unanswered })
    await world.pass()
    await world.clock.advance(5_000)
    const first = await acceptAndFail()
    await world.pass()
    await settle()
    world.cloud.listFault = busy
    const { tag } = world.cloud.instances.get(first) ?? {}
    const late = await world.cloud.create(launchOf('another-token'), quietCtx())
    world.cloud.set(late.id, 'running', { started: true, tag })
    await quarterMinutes(20)
    expect(world.attempt).toMatchObject({ n: 1, refused: { goesOn: true } })
    world.cloud.listFault = undefined
    await quarterMinutes(24)
    expect(world.attempt?.handle).toBe(late.id)
    expect(alive().map(({ id }) => id)).toEqual([late.id])
  })

  it('is not left again, in an older copy of etcd, before a list shows what was made since', async () => {
    await acceptAndFail()
    await world.pass()
    const copy = world.apiserver.copy()
    await settle()
    world.cloud.listFault = busy
    await world.pass()
    const { handle } = world.attempt ?? {}
    world.apiserver.putBack(copy)
    await quarterMinutes(20)
    expect(world.attempt).toMatchObject({ n: 1, refused: { goesOn: true } })
    world.cloud.listFault = undefined
    await quarterMinutes(24)
    expect(world.attempt?.handle).toBe(handle)
    expect(alive().map(({ id }) => id)).toEqual([handle])
  })

  it('a machine with a providerID gets no second instance, whatever its attempt says', async () => {
    await world.pass()
    world.cloud.set(world.attempt?.handle ?? '', 'running')
    await settle()
    const refused = { kind: 'subnet', code: 'Forged', message: 'Forged.', isFinal: true, goesOn: true }
    const attempt = JSON.stringify({ ...world.attempt, refused })
    const metadata = { ...world.machine?.metadata, annotations: { [annotations.attempt]: attempt } }
    world.apiserver.put(kind, { ...world.machine, metadata } as never)
    for (let times = 0; times < 4; times++) await settle()
    expect(world.attempt?.n).toBe(1)
    expect(world.cloud.count('create')).toBe(1)
  })
})
