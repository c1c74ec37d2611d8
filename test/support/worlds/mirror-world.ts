import type { ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { ApiserverStub, openWatch, sendJson, sendStatus, type StubRequest } from '../fakes/apiserver-stub.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../fakes/quiet-ctx.ts'
import { until } from '../until.ts'
import { createCache } from '../../../controllers/runtime/cache/cache.ts'
import { createClient } from '../../../controllers/runtime/client/client.ts'
import type { KubeObject, Resource } from '../../../api/meta.ts'

const machines: Resource = { group: 'x.io', version: 'v1', plural: 'machines', kind: 'Machine', namespaced: true }
export const machine = (name: string, resourceVersion: string): KubeObject => ({ metadata: { name, resourceVersion } })
const list = (resourceVersion: string, items: KubeObject[], next = '') => ({
  metadata: { resourceVersion, continue: next },
  items,
})

export type Step = (response: ServerResponse, request: StubRequest) => void
export const page =
  (...args: Parameters<typeof list>): Step =>
  (response) =>
    sendJson(response, list(...args))
/** A watch that stays open after these events. */
export const events =
  (...sent: [string, unknown][]): Step =>
  (response) => {
    const send = openWatch(response)
    for (const [type, object] of sent) send(type, object)
  }
export const refuse =
  (code: number, reason: string, headers = {}): Step =>
  (response) =>
    sendStatus(response, code, reason, headers)

/** A cache over a server that answers step by step; the last step goes on for ever. */
export async function mirror(script: { lists: Step[]; watches: Step[] }, more: { maxAwayMs?: number } = {}) {
  const clock = new FakeClock()
  const log = keptLog()
  const stop = new AbortController()
  const ctx = quietCtx({ clock, log, signal: stop.signal })
  const next = (steps: Step[]) => (steps.length > 1 ? steps.shift() : steps[0])
  const stub = await ApiserverStub.start((request, response) => {
    next(request.query.has('watch') ? script.watches : script.lists)?.(response, request)
  })
  const client = createClient({ server: stub.url }, { userAgent: 'test' })
  const relists: string[] = []
  const onRelist = (reason: string) => void relists.push(reason)
  const cache = createCache<KubeObject>({
    client,
    resource: machines,
    pageSize: 2,
    project: (raw) => raw,
    onRelist,
    ...more,
  })
  const changes: string[] = []
  cache.onChange(({ key, before, after }) => {
    changes.push(`${key} ${before?.metadata.resourceVersion ?? '-'}>${after?.metadata.resourceVersion ?? '-'}`)
  })
  const running = cache.run(ctx)
  const end = async () => {
    stop.abort(new Error('enough'))
    await running
  }
  onTestFinished(async () => {
    await end()
    await client.close()
    await stub[Symbol.asyncDispose]()
  })
  const asked = (kind: 'list' | 'watch') =>
    stub.requests.filter(({ query }) => query.has('watch') === (kind === 'watch'))
  const names = () => cache.list().map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
  /** The waits that the log tells of. */
  const waits = () => log.lines.map((line) => (JSON.parse(line) as { afterMs: number }).afterMs)
  /** Lets the wait number `n` pass, and not a millisecond more. */
  const pass = async (n: number) => {
    await until(() => log.lines.length === n, `wait ${n}`)
    await clock.advance(waits()[n - 1] ?? 0)
  }
  return { asked, cache, changes, clock, end, log, names, pass, relists, stub, waits }
}
