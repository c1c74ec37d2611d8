import { expect, it } from 'vitest'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { RefusalKind } from '../../../api/refusal.ts'
import type { Pass } from '../pass.ts'
import { extend } from './extend.ts'

function passWith(outcome: 'done' | 'later' | RefusalKind, state = 'running') {
  const events: { reason: string; message: string }[] = []
  const asked: unknown[] = []
  const pass = {
    cloud: {
      name: 'azure',
      nameOf: () => 'name',
      extend: (_: unknown, which: unknown) => {
        asked.push(which)
        const isAnswer = outcome === 'done' || outcome === 'later'
        return isAnswer
          ? Promise.resolve(outcome)
          : Promise.reject(new CloudError(outcome, { code: 'C', message: 'why' }))
      },
    },
    infra: { apiVersion: 'v', kind: 'AzureMachine', metadata: { name: 'm1' }, spec: {} },
    attempt: { owner: 'ownerone01', token: 'tokennumber1', for: 'default/m1', scope: {} },
    instance: { id: 'g/name', state },
    deps: { recorder: { event: (event: { reason: string; message: string }) => events.push(event) } },
  } as unknown as Pass
  return { pass, events, asked }
}

it('adds to an instance that runs, and to no other', async () => {
  const { pass, asked } = passWith('done')
  expect(await extend(pass, quietCtx())).toBe('done')
  expect(asked).toMatchObject([{ id: 'g/name' }])
  const off = passWith('done', 'stopped')
  expect(await extend(off.pass, quietCtx())).toBe('done')
  expect(off.asked).toEqual([])
})

it('comes back until it is done', async () => {
  expect(await extend(passWith('later').pass, quietCtx())).toMatchObject({ requeueAfterMs: 10_000 })
})

it('tells a refusal by an event, and the machine serves all the same', async () => {
  const { pass, events } = passWith('invalid')
  expect(await extend(pass, quietCtx())).toMatchObject({ requeueAfterMs: 600_000 })
  expect(events).toMatchObject([{ reason: 'ExtensionFailed', message: 'why' }])
  expect(pass.ready).toBeUndefined()
})

it('fails the pass for anything else, so that it is tried again', async () => {
  await expect(extend(passWith('throttled').pass, quietCtx())).rejects.toMatchObject({ kind: 'throttled' })
})
