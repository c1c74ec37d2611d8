import { beforeEach, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { rfc3339 } from '../../../api/conditions.ts'
import { annotations, core } from '../../../api/labels.ts'
import type { InfraMachine, Machine } from '../../../api/machine.ts'
import type { ObjectMeta } from '../../../api/meta.ts'
import type { CapacityType } from '../../../api/offering.ts'
import { ApiError } from '../../runtime/client/api-error.ts'
import { fakeScope } from '../../../test/support/fakes/fake-cloud.ts'
import { kind, MachineWorld } from '../../../test/support/worlds/machine-world.ts'

const ownerReferences = [
  { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachineSet', name: 'ms', uid: 'uid-ms', controller: true },
]

let world: MachineWorld
beforeEach(async () => {
  world = await MachineWorld.begun()
  const { metadata, ...rest } = world.apiserver.get('Machine', 'default/m1') as never as { metadata: ObjectMeta }
  const creationTimestamp = rfc3339(world.clock.now())
  const labels = { [core.deploymentName]: 'md' }
  world.apiserver.put('Machine', { ...rest, metadata: { ...metadata, creationTimestamp, labels, ownerReferences } })
  specIs({ onDemandBase: 1 })
})

function specIs(distribution: object | undefined, after?: string): void {
  const fallback = [{ capacityType: 'OnDemand', ...(after ? { after } : {}) }]
  const spec = { fallback, ...(distribution ? { distribution } : {}) }
  world.apiserver.put(kind, { ...(world.machine as InfraMachine), spec } as never)
}

/** Another Machine of the MachineSet, with an instance of this market. */
function sibling(name: string, market: CapacityType): void {
  const key = `default/${name}`
  const infrastructureRef = { apiGroup: 'spot.cluster.x-k8s.io', kind, name }
  const metadata = { namespace: 'default', name, uid: name }
  const spec = { clusterName: 'c1', infrastructureRef }
  world.apiserver.put('Machine', { metadata: { ...metadata, ownerReferences }, spec } as never)
  const startedAt = rfc3339(world.clock.now())
  const offering = `${market}:m5.large:us-east-1a`
  const attempt = { for: key, owner: 'owner-1', n: 1, token: name, scope: fakeScope, startedAt, offering }
  const noted = { [annotations.attempt]: JSON.stringify(attempt) }
  world.apiserver.put(kind, { metadata: { ...metadata, annotations: noted }, spec: {} } as never)
}

const refuse = (times: number) => {
  const error = new CloudError('capacity', { code: 'InsufficientInstanceCapacity', message: 'There is none.' })
  for (let nth = 0; nth < times; nth++) world.cloud.createFaults.push({ when: 'before', error })
}

const asked = () => world.cloud.requests.map(({ capacityType }) => capacityType)

/** As often as it asks to be called at once. */
async function passes(): Promise<void> {
  for (;;) {
    const result = (await world.pass()) as { requeueAfterMs?: number } | 'done'
    if (result === 'done' || result.requeueAfterMs !== 0) return
  }
}

it('the first of its siblings is bought on demand at once, and waits for no `after`', async () => {
  specIs({ onDemandBase: 1 }, '10h')
  await passes()
  expect(asked()).toEqual(['OnDemand'])
  expect(world.attempt).toMatchObject({ n: 1, choice: { rung: 1, capacityType: 'OnDemand' } })
})

it('beside a sibling on demand it asks for spot, and falls to on demand as usual', async () => {
  sibling('m2', 'OnDemand')
  refuse(1)
  await passes()
  expect(asked()).toEqual(['Spot', 'OnDemand'])
})

it('a sibling on spot is none on demand', async () => {
  sibling('m2', 'Spot')
  await passes()
  expect(asked()).toEqual(['OnDemand'])
})

it('without distribution it asks for spot first', async () => {
  specIs(undefined)
  await passes()
  expect(asked()).toEqual(['Spot'])
})

it('wanted on demand it waits there, and does not fall to spot', async () => {
  refuse(9)
  await passes()
  expect(asked()).toEqual(['OnDemand'])
  expect(world.ready).toMatchObject({ status: 'Unknown', reason: 'CapacityBackoff' })
  await world.clock.advance(30_000)
  await passes()
  expect(asked()).toEqual(['OnDemand', 'OnDemand'])
})

it('looks at its siblings anew at each choice', async () => {
  refuse(1)
  await passes()
  sibling('m2', 'OnDemand')
  await world.clock.advance(30_000)
  await passes()
  expect(asked()).toEqual(['OnDemand', 'Spot'])
})

it('without anything on demand that can work it uses what it has', async () => {
  const error = new CloudError('invalid', { code: 'InvalidParameter', message: 'Never.' })
  world.cloud.createFaults.push({ when: 'before', error })
  await passes()
  expect(asked()).toEqual(['OnDemand', 'Spot'])
})

it('a sibling that is deleted meanwhile counts no more, so the share moves to this one', async () => {
  sibling('m2', 'OnDemand')
  refuse(2)
  specIs({ onDemandBase: 1 }, '10h')
  await passes()
  expect(asked()).toEqual(['Spot'])
  world.apiserver.markDeleted('Machine', 'default/m2', rfc3339(world.clock.now()))
  await world.clock.advance(30_000)
  await passes()
  expect(asked()).toEqual(['Spot', 'OnDemand'])
})

/** What a sibling sees of `m1` when the write of this attempt fails. */
async function seenAfterFailedWrite(n: number, error: ApiError): Promise<CapacityType[]> {
  sibling('m2', 'Spot')
  world.apiserver.beforeWrite = (patch) => {
    const { annotations: noted } = (patch as { metadata?: ObjectMeta }).metadata ?? {}
    const attempt = noted?.[annotations.attempt]
    if (attempt !== undefined && (JSON.parse(attempt) as { n: number }).n === n) throw error
  }
  await passes()
  const machine = world.apiserver.get('Machine', 'default/m2') as unknown as Machine
  return world.launches.siblings.marketsBeside({ machine, cluster: 'default/c1' })
}

const lost = new ApiError({ status: 0, reason: 'Unreachable', message: 'The API server did not answer.' })
const conflict = new ApiError({ status: 409, reason: 'Conflict', message: 'It has changed.' })

it.each([
  ['a write without an answer may be done, so its machine counts until that is known', lost, ['OnDemand']],
  ['after a write that was refused its machine has not chosen yet', conflict, []],
])('%s', async (_, error, seen) => {
  expect(await seenAfterFailedWrite(1, error)).toEqual(seen)
})

it.each([
  ['the same for the attempt after a refusal', lost, ['OnDemand']],
  ['when that was not written, the one before counts', conflict, ['Spot']],
])('%s', async (_, error, seen) => {
  specIs({ onDemandBase: 0 })
  refuse(1)
  expect(await seenAfterFailedWrite(2, error)).toEqual(seen)
})
