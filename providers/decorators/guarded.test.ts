import { expect, it } from 'vitest'
import { CloudError } from '../../api/cloud-error.ts'
import type { Launch } from '../instances.ts'
import { tagOf } from '../shared/ownership.ts'
import { FakeCloud } from '../../test/support/fakes/fake-cloud.ts'
import { quietCtx } from '../../test/support/fakes/quiet-ctx.ts'
import { guarded } from './guarded.ts'

const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
const launch = { scope, owner: 'o', machine: 'default/m', token: 't' } as Launch
const which = { scope, tag: tagOf(launch) }

function setting() {
  const cloud = new FakeCloud()
  const gate = {
    why: undefined as string | undefined,
    closed: (): string | undefined => gate.why,
    proven: () => Promise.resolve(gate.why),
  }
  return { cloud, gate, instances: guarded(cloud, gate) }
}

it('hands everything through while the gate is open', async () => {
  const { cloud, instances } = setting()
  const created = await instances.create(launch, quietCtx())
  expect(await instances.terminate({ ...which, id: created.id }, quietCtx())).toBe('going')
  expect(cloud.calls.map(({ call }) => call)).toEqual(['create', 'terminate'])
})

it('begins no create and no terminate while it is closed, says why, and goes on reading', async () => {
  const { cloud, gate, instances } = setting()
  gate.why = 'The API server is away.'
  for (const write of [instances.create(launch, quietCtx()), instances.terminate(which, quietCtx())]) {
    const thrown = await write.catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(CloudError)
    expect(thrown).toMatchObject({ kind: 'transient', code: 'WritesHeld', message: 'The API server is away.' })
  }
  expect(await instances.find(which, quietCtx())).toBe('absent')
  for await (const { items } of instances.list(scope, quietCtx())) expect(items).toEqual([])
  expect(cloud.calls.map(({ call }) => call)).toEqual(['find', 'list'])
})
