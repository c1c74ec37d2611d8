import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../test/support/fakes/fake-clock.ts'
import { keptLog, quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { gone, ModelApi, things, type Thing } from '../../../test/support/fakes/model-api.ts'
import { turn, until, untilOn } from '../../../test/support/until.ts'
import { ApiError } from '../client/api-error.ts'
import { createCache, type Change } from './cache.ts'
import type { KubeObject, ObjectMeta } from '../../../api/meta.ts'
import { keyOf } from '../client/resource.ts'

const unreachable = () => new ApiError({ status: 0, reason: 'Unreachable', message: 'reset' })
const unavailable = () => new ApiError({ status: 503, reason: 'ServiceUnavailable', message: 'later' })

function cacheOf(api: ModelApi, over: { project?: (raw: KubeObject) => Thing } = {}) {
  const project = (raw: KubeObject) => {
    const { metadata, spec } = raw as Thing
    return { metadata, spec }
  }
  const indexes = { owner: ({ spec }: Thing) => [spec.owner] }
  return createCache<Thing>({ client: api.client, resource: things, pageSize: 2, project, indexes, ...over })
}

function start(api: ModelApi, over?: Parameters<typeof cacheOf>[1]) {
  const clock = new FakeClock()
  const log = keptLog()
  const stop = new AbortController()
  const cache = cacheOf(api, over)
  const changes: Change<Thing>[] = []
  cache.onChange((change) => changes.push(change))
  const running = cache.run(quietCtx({ clock, log, signal: stop.signal }))
  const end = async () => {
    stop.abort()
    api.endWatches('end')
    await running
  }
  return { cache, changes, clock, end, log }
}

/** The events of the API server in the property test. */
const happening = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ put: fc.constantFrom('a', 'b', 'c', 'd', 'e'), owner: fc.constantFrom('x', 'y') }),
  },
  { weight: 3, arbitrary: fc.record({ delete: fc.constantFrom('a', 'b', 'c', 'd', 'e') }) },
  { weight: 6, arbitrary: fc.record({ fault: fc.constantFrom('compact', 'reset', 'end', 'gone', '503', 'away') }) },
)
type Happening = { put: string; owner: string } | { delete: string } | { fault: string }

function happen(api: ModelApi, what: Happening): void {
  if ('put' in what) api.put(what.put, what.owner)
  else if ('delete' in what) api.delete(what.delete)
  else if (what.fault === 'compact') api.compact()
  else if (what.fault === 'reset') api.endWatches(unreachable())
  else if (what.fault === 'end') api.endWatches('end')
  else if (what.fault === 'gone') api.endWatches(gone())
  else if (what.fault === '503') api.failNext(unavailable())
  else for (let n = 0; n < 3; n++) api.failNext(unreachable())
}

const byKey = (objects: Iterable<Thing>) => new Map(Array.from(objects, (object) => [keyOf(object), object]))

describe('a cache', () => {
  it('is in the end what the API server holds, whatever happened, and told every step of the way', async () => {
    const step = fc.tuple(happening, fc.constantFrom(0, 0, 100, 300, 2_000, 40_000))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const api = new ModelApi()
        const { cache, changes, clock, end } = start(api)
        for (const [what, ms] of steps) {
          happen(api, what)
          await clock.advance(ms)
        }
        api.heal()
        const same = () => cache.hasSynced() && isSame(cache.list(), api.objects)
        await untilOn(clock, 10_000, same)
        await end()

        const told = new Map<string, Thing>()
        const versions = new Map<string, number[]>()
        for (const { key, before, after } of changes) {
          expect(before).toBe(told.get(key))
          expect(before ?? after).toBeDefined()
          if (after) versions.set(key, [...(versions.get(key) ?? []), Number(after.metadata.resourceVersion)])
          if (after) told.set(key, after)
          else told.delete(key)
        }
        expect(told).toEqual(byKey(cache.list()))
        // Nothing twice, and nothing old after something new.
        for (const seen of versions.values()) expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
        for (const owner of ['x', 'y', 'nobody']) {
          const wanted = [...told.values()].filter(({ spec }) => spec.owner === owner)
          expect(byKey(cache.by('owner', owner))).toEqual(byKey(wanted))
        }
        expect(clock.pending).toBe(0)
      }),
      { numRuns: 200 },
    )
  })

  function isSame(list: Thing[], objects: ReadonlyMap<string, Thing>): boolean {
    const versions = (all: Iterable<Thing>) => Array.from(all, versionOf).sort().join()
    return versions(list) === versions(objects.values())
  }
  const versionOf = ({ metadata }: { metadata: ObjectMeta }) => `${metadata.name}@${metadata.resourceVersion}`

  it('tells what was there at first from what came later', async () => {
    const api = new ModelApi()
    api.put('a', 'x')
    const { changes, clock, end } = start(api)
    await untilOn(clock, 0, () => changes.length === 1)
    api.put('b', 'x')
    await until(() => changes.length === 2)
    expect(changes.map(({ key, initial }) => [key, initial])).toEqual([
      ['ns/a', true],
      ['ns/b', undefined],
    ])
    await end()
  })

  it('hands out what nobody can change', async () => {
    const api = new ModelApi()
    api.put('a', 'x')
    const { cache, end } = start(api)
    await cache.synced(quietCtx())
    const thing = cache.get('ns/a')
    expect(() => Object.assign(thing?.spec ?? {}, { owner: 'y' })).toThrow(TypeError)
    expect(() => Object.assign(thing?.metadata ?? {}, { name: 'b' })).toThrow(TypeError)
    expect(thing).toMatchObject({ spec: { owner: 'x' } })
    await end()
  })

  it('goes on when a listener throws, and tells the others', async () => {
    const api = new ModelApi()
    const { cache, changes, end, log } = start(api)
    cache.onChange(() => {
      throw new Error('a listener of mine')
    })
    const after: string[] = []
    const leave = cache.onChange(({ key }) => after.push(key))
    await cache.synced(quietCtx())
    api.put('a', 'x')
    api.put('b', 'x')
    await until(() => after.length === 2)
    leave()
    api.put('c', 'x')
    await until(() => changes.length === 3)
    expect(after).toEqual(['ns/a', 'ns/b'])
    expect(log.lines.filter((line) => line.includes('Going on after a listener failed'))).toHaveLength(3)
    await end()
  })

  it('keeps an object as it was when it cannot be read, and all others up to date', async () => {
    const api = new ModelApi()
    api.put('a', 'x')
    api.put('b', 'x')
    const project = (raw: KubeObject) => {
      const thing = raw as Thing
      if (thing.spec.owner === 'bad') throw new Error('no such owner')
      return thing
    }
    const { cache, end, log } = start(api, { project })
    await cache.synced(quietCtx())
    await turn()
    api.put('a', 'bad')
    api.put('b', 'y')
    api.put('c', 'bad')
    await until(() => cache.get('ns/b')?.spec.owner === 'y')
    await until(() => log.lines.length === 2)
    api.endWatches(gone())
    await until(() => log.lines.length === 5)
    expect(cache.get('ns/a')?.spec.owner).toBe('x')
    expect(cache.get('ns/c')).toBeUndefined()
    await end()
  })

  it('says which indexes there are when asked for another', () => {
    expect(() => cacheOf(new ModelApi()).by('node', 'n1')).toThrow('The cache has no index "node"; it has owner.')
  })

  it('does not wait for ever to be synced', async () => {
    const stop = new AbortController()
    const waiting = cacheOf(new ModelApi()).synced(quietCtx({ signal: stop.signal }))
    stop.abort(new Error('going home'))
    await expect(waiting).rejects.toThrow('going home')
  })
})
