import { describe, expect, it } from 'vitest'
import type { Ctx } from '../../../api/ctx.ts'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import type { KubeClient } from '../client/client.ts'
import { createRecorder, type EventInput } from './events.ts'
import type { Resource } from '../../../api/meta.ts'

const object = {
  apiVersion: 'x.io/v1',
  kind: 'Machine',
  metadata: { name: 'm1', namespace: 'ns', uid: 'u-1', resourceVersion: '7' },
}
const event: EventInput = { object, type: 'Warning', reason: 'Interrupted', message: 'The cloud took it back.' }

interface Created {
  metadata: { name: string; namespace: string }
  message: string
  [field: string]: unknown
}

/** A recorder whose events are kept, or fail as `fail` says. */
function recorder(over: { fail?: () => Promise<void>; namespace?: string; held?: () => string | undefined } = {}) {
  const created: Created[] = []
  const clock = new FakeClock(Date.UTC(2026, 0, 1, 12))
  const log = keptLog()
  const create = async (resource: Resource, event: Created) => {
    await over.fail?.()
    expect(resource).toMatchObject({ group: '', version: 'v1', plural: 'events' })
    created.push(event)
    return event
  }
  const client = { create } as unknown as Pick<KubeClient, 'create'>
  const { namespace, held } = over
  const recorder = createRecorder({ client, component: 'spot', held, ...(namespace ? { namespace } : {}) })
  const record = (input: EventInput, ctx: Ctx) => recorder.event(input, ctx)
  return { clock, created, ctx: quietCtx({ clock, log }), log, record, settled: () => recorder.settled() }
}

describe('a recorder', () => {
  it('writes an event that kubectl shows beside the object', async () => {
    const { created, ctx, record, settled } = recorder()
    record(event, ctx)
    await settled()
    expect(created).toEqual([
      {
        metadata: { name: expect.stringMatching(/^m1\.[0-9a-f]{16}$/) as string, namespace: 'ns' },
        involvedObject: {
          apiVersion: 'x.io/v1',
          kind: 'Machine',
          name: 'm1',
          namespace: 'ns',
          uid: 'u-1',
          resourceVersion: '7',
        },
        type: 'Warning',
        reason: 'Interrupted',
        message: 'The cloud took it back.',
        source: { component: 'spot' },
        reportingComponent: 'spot',
        reportingInstance: 'spot',
        firstTimestamp: '2026-01-01T12:00:00Z',
        lastTimestamp: '2026-01-01T12:00:00Z',
        count: 1,
      },
    ])
  })

  it('says the same of the same object once in ten minutes', async () => {
    const { clock, created, ctx, record, settled } = recorder()
    record(event, ctx)
    record(event, ctx)
    await clock.advance(9 * 60_000)
    record({ ...event, object: { ...object, metadata: { ...object.metadata, resourceVersion: '8' } } }, ctx)
    await settled()
    expect(created).toHaveLength(1)
    await clock.advance(60_000)
    record(event, ctx)
    await settled()
    expect(created).toHaveLength(2)
  })

  it.each<[string, Partial<EventInput>]>([
    ['message', { message: 'Another.' }],
    ['reason', { reason: 'Stopped' }],
    ['object of the same name', { object: { ...object, metadata: { ...object.metadata, uid: 'u-2' } } }],
  ])('says what has another %s at once', async (_, other) => {
    const { created, ctx, record, settled } = recorder()
    record(event, ctx)
    record({ ...event, ...other }, ctx)
    await settled()
    expect(created).toHaveLength(2)
  })

  it('remembers no more than it has room for', async () => {
    const { created, ctx, record, settled } = recorder()
    for (let n = 0; n <= 4096; n++) {
      record({ ...event, message: `Message ${n}.` }, ctx)
      if (n % 50 === 0) await settled()
    }
    await settled()
    expect(created).toHaveLength(4097)
    record({ ...event, message: 'Message 4096.' }, ctx)
    record({ ...event, message: 'Message 0.' }, ctx)
    await settled()
    expect(created.slice(4097).map(({ message }) => message)).toEqual(['Message 0.'])
  })

  it('cuts what is too long, and not through a character', async () => {
    const { created, ctx, record, settled } = recorder()
    record({ ...event, message: 'x'.repeat(1024) }, ctx)
    record({ ...event, message: `${'x'.repeat(1022)}😀😀` }, ctx)
    await settled()
    expect(created[0]?.message).toBe('x'.repeat(1024))
    expect(created[1]?.message.length).toBeLessThanOrEqual(1024)
    expect(created[1]?.message.isWellFormed()).toBe(true)
    expect(created[1]?.message.endsWith('…')).toBe(true)
  })

  it('gives an event a name that is allowed, and objects without a namespace a place', async () => {
    const { created, ctx, record, settled } = recorder({ namespace: 'kube-system' })
    record({ ...event, object: { ...object, metadata: { name: `${'a'.repeat(219)}-.b` } } }, ctx)
    await settled()
    const { name, namespace } = created[0]?.metadata ?? { name: '', namespace: '' }
    expect(namespace).toBe('kube-system')
    expect(name.length).toBeLessThanOrEqual(253)
    expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/)
  })

  it('throws nothing when an event does not arrive, and tries again next time', async () => {
    let fails = true
    const fail = async () => {
      if (fails) throw new Error('forbidden')
    }
    const { created, ctx, log, record, settled } = recorder({ fail })
    record(event, ctx)
    await settled()
    expect(log.lines).toHaveLength(1)
    expect(log.lines[0]).toContain('"level":"debug"')
    fails = false
    record(event, ctx)
    await settled()
    expect(created).toHaveLength(1)
  })

  it('sends a few events at a time, so that other requests find a connection', async () => {
    const slow = Promise.withResolvers<void>()
    let [begun, most] = [0, 0]
    const fail = async () => {
      begun++
      most = Math.max(most, begun)
      await slow.promise
      begun--
    }
    const { created, ctx, record, settled } = recorder({ fail })
    for (let n = 0; n < 500; n++) record({ ...event, message: `Message ${n}.` }, ctx)
    slow.resolve()
    await settled()
    expect([created.length, most]).toEqual([500, 4])
  })

  it('waits while something urgent goes ahead', async () => {
    let why: string | undefined = 'A storm.'
    const { clock, created, ctx, record, settled } = recorder({ held: () => why })
    record(event, ctx)
    await clock.advance(5_000)
    expect(created).toEqual([])
    why = undefined
    await clock.advance(250)
    await settled()
    expect(created).toHaveLength(1)
  })

  it('does not let events pile up while the API server is slow', async () => {
    const slow = Promise.withResolvers<void>()
    const { created, ctx, record, settled } = recorder({ fail: () => slow.promise })
    for (let n = 0; n < 3_000; n++) record({ ...event, message: `Message ${n}.` }, ctx)
    slow.resolve()
    await settled()
    expect(created).toHaveLength(2_004)
  })
})
