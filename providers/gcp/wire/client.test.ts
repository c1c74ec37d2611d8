import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openGcpProject, type GcpProject } from '../../../test/support/clouds/gcp-project.ts'
import { freePort } from '../../../test/lab/processes/port.ts'
import type { CallMade, CloudSettings } from '../../cloud.ts'
import { turnAfterMs } from '../../wire/limiter.ts'
import { shapes } from './answers.ts'
import { Gce, type GceCall } from './client.ts'
import { Credentials } from './credentials.ts'

let project: GcpProject
beforeEach(async () => {
  project = await openGcpProject()
})
afterEach(() => project[Symbol.asyncDispose]())

const look = (over: Partial<GceCall> = {}): GceCall => ({
  scope: project.scope,
  action: 'regions.get',
  method: 'GET',
  path: ['regions', 'us-central1'],
  kind: 'compute#region',
  shape: shapes.anything,
  ...over,
})
const change = (over: Partial<GceCall> = {}): GceCall =>
  look({
    action: 'instances.delete',
    method: 'DELETE',
    path: ['zones', 'us-central1-a', 'instances', '42'],
    kind: 'compute#operation',
    ...over,
  })

const made: CallMade[] = []
const client = (settings: Omit<CloudSettings, 'onCall'> = {}) => {
  made.length = 0
  return new Gce({ ...settings, onCall: (call) => made.push(call) })
}
const refusal = (call: Promise<unknown>) => call.catch((thrown: unknown) => thrown)

describe('a call', () => {
  it('is counted with what became of it, also when it is refused', async () => {
    const gce = client()
    expect(await gce.call(look(), project.ctx())).toMatchObject({ name: 'us-central1' })
    await refusal(gce.call(change(), project.ctx()))
    expect(made).toEqual([
      { scope: project.scope, action: 'regions.get', code: 'OK', ms: 0, waitedMs: 0 },
      { scope: project.scope, action: 'instances.delete', code: 'notFound', ms: 0, waitedMs: 0 },
    ])
  })

  it('is sent once, whatever comes of it', async () => {
    project.simulator.control.failNext('*', 1, { code: 'backendError', message: 'No.' })
    expect(await refusal(client().call(look(), project.ctx()))).toMatchObject({
      kind: 'ambiguous',
      code: 'backendError',
    })
    expect(project.calls()).toEqual({ 'regions.get': 1 })
  })

  it.each([
    ['cut-body', 'UND_ERR_SOCKET'],
    ['half-body', 'ForeignAnswer'],
    ['garbage', 'ForeignAnswer'],
    ['foreign-document', 'ForeignAnswer'],
    ['proxy-page', 'HTTP502'],
  ] as const)('with an answer that is spoilt (%s) fails', async (how, code) => {
    project.simulator.control.spoilNext('regions.get', how)
    expect(await refusal(client().call(look(), project.ctx()))).toMatchObject({ name: 'CloudError', code })
  })

  it('that gets no answer ends with its time: a look has done nothing, a change may have', async () => {
    const gce = client()
    for (const [call, kind] of [
      [look(), 'transient'],
      [change(), 'ambiguous'],
    ] as const) {
      const held = project.simulator.control.hold('*', 'before')
      const answer = refusal(gce.call(call, project.ctx()))
      await held.reached
      await project.clock.advance(30_000)
      expect(await answer).toMatchObject({ kind, code: 'Timeout', message: 'GCE gave no answer within 30 s.' })
      held.drop()
    }
  })

  it('that cannot even connect has done nothing', async () => {
    vi.stubEnv('CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE', `http://127.0.0.1:${await freePort()}`)
    expect(await refusal(client().call(change(), project.ctx()))).toMatchObject({
      kind: 'transient',
      code: 'ECONNREFUSED',
    })
  })

  it('ends with the signal', async () => {
    const stop = new AbortController()
    const held = project.simulator.control.hold('*', 'before')
    const answer = refusal(client().call(change(), { ...project.ctx(), signal: stop.signal }))
    await held.reached
    stop.abort(new Error('stopped'))
    expect(await answer).toMatchObject({ kind: 'ambiguous', code: 'GivenUp' })
    held.drop()
    expect(project.clock.pending).toBe(0)
  })

  it('is not sent to an address that is refused, and that is a matter for a person', async () => {
    vi.stubEnv('CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE', 'http://compute.example.com')
    expect(await refusal(client().call(look(), project.ctx()))).toMatchObject({
      kind: 'denied',
      code: 'InvalidEndpoint',
    })
  })

  it('after a refusal of its token takes the credentials anew', async () => {
    const gce = client()
    await gce.call(look(), project.ctx())
    project.simulator.control.acceptTokens('issued')
    expect(await refusal(gce.call(look(), project.ctx()))).toMatchObject({ kind: 'denied', code: 'authError' })
    project.simulator.control.acceptTokens('any')
    expect(await gce.call(look(), project.ctx())).toMatchObject({ name: 'us-central1' })
  })
})

describe('while writes are held', () => {
  it('nothing that changes something is sent, and looks are', async () => {
    const gce = client({ held: () => 'The API server does not answer.' })
    expect(await refusal(gce.call(change(), project.ctx()))).toMatchObject({ code: 'WritesHeld' })
    await gce.call(look(), project.ctx())
    expect(project.calls()).toEqual({ 'regions.get': 1 })
  })

  it('nor is it when they are held while its token is on its way', async () => {
    const held: { why?: string } = {}
    vi.spyOn(Credentials.prototype, 'headers').mockImplementation(async () => {
      held.why = 'The lease is not ours for certain.'
      return {}
    })
    const gce = client({ held: () => held.why })
    expect(await refusal(gce.call(change(), project.ctx()))).toMatchObject({ code: 'WritesHeld', message: held.why })
    expect(project.calls()).toEqual({})
  })
})

describe('the limits of a project', () => {
  const granted = { reads: { burst: 2, perSecond: 5 } }

  it('are one for all its regions, and others for another project', async () => {
    const gce = client({ grantedLimits: granted })
    await gce.call(look(), project.ctx())
    await gce.call(look({ scope: { ...project.scope, region: 'us-east1' } }), project.ctx())
    const waiting = gce.call(look(), project.ctx())
    await project.clock.advance(0)
    expect(made).toHaveLength(2)
    await refusal(gce.call(look({ scope: { ...project.scope, account: 'another' } }), project.ctx()))
    expect(made).toHaveLength(3)
    await project.clock.advance(2_000)
    await waiting
  })

  it('pause for all when GCE says that there were too many, until the next minute', async () => {
    await project.clock.advance(50_000)
    const gce = client()
    project.simulator.control.failNext('regions.get', 1, { code: 'rateLimitExceeded', message: 'Too many.' })
    expect(await refusal(gce.call(look(), project.ctx()))).toMatchObject({
      kind: 'throttled',
      code: 'rateLimitExceeded',
    })
    const away = await refusal(gce.call(look(), project.ctx()))
    expect(turnAfterMs(away)).toBeGreaterThan(9_000)
    await project.clock.advance(12_000)
    expect(await gce.call(look(), project.ctx())).toMatchObject({ name: 'us-central1' })
  })
})
