import { describe, expect, it } from 'vitest'
import { openWatch, statusOf } from '../../../test/support/fakes/apiserver-stub.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { events, machine, mirror, page, refuse, type Step } from '../../../test/support/worlds/mirror-world.ts'
import { until } from '../../../test/support/until.ts'

describe('a mirror', () => {
  it('lists page by page, then watches from there on', async () => {
    const { asked, cache, changes, names } = await mirror({
      lists: [page('5', [machine('a', '1'), machine('b', '2')], 'two'), page('5', [machine('c', '3')])],
      watches: [events(['ADDED', machine('d', '6')], ['MODIFIED', machine('a', '7')], ['DELETED', machine('b', '8')])],
    })
    expect(cache.hasSynced()).toBe(false)
    await cache.synced(quietCtx())
    expect(cache.hasSynced()).toBe(true)
    await until(() => changes.length === 6)
    expect(names().sort()).toEqual(['a@7', 'c@3', 'd@6'])
    expect(changes).toEqual(['a ->1', 'b ->2', 'c ->3', 'd ->6', 'a 1>7', 'b 2>-'])
    expect(asked('list').map(({ query }) => [query.get('limit'), query.get('continue')])).toEqual([
      ['2', null],
      ['2', 'two'],
    ])
    const seconds = Number(asked('watch')[0]?.query.get('timeoutSeconds'))
    expect(seconds).toBeGreaterThanOrEqual(290)
    expect(seconds).toBeLessThanOrEqual(590)
    expect(asked('watch')[0]?.query.get('resourceVersion')).toBe('5')
    expect(cache.connected()).toBe(true)
  })

  it.each<[string, Step]>([
    ['is refused with 503', refuse(503, 'ServiceUnavailable')],
    ['is refused with 403', refuse(403, 'Forbidden')],
    ['is answered by a proxy', (response) => void response.writeHead(502).end('<html>')],
    ['is reset', (response) => void response.destroy()],
    [
      'is reset in the middle of a line',
      (response) => {
        openWatch(response)('MODIFIED', machine('a', '7'))
        response.write('{"type":"MODI', () => response.destroy())
      },
    ],
    ['holds garbage', (response) => void response.end('garbage\n')],
    ['holds an error of another kind', events(['ERROR', statusOf(500, 'InternalError')])],
  ])('goes on from where it was when the watch %s', async (_, fault) => {
    const { asked, changes, pass, waits } = await mirror({
      // After a broken connection only the version is asked for.
      lists: [page('5', [machine('a', '1')]), page('9', [])],
      watches: [
        events(['BOOKMARK', { metadata: { resourceVersion: '6' } }], ['ERROR', statusOf(500, 'InternalError')]),
        // A broken connection is tried twice at once, as it may only have gone stale.
        fault,
        fault,
        events(['MODIFIED', machine('a', '9')]),
      ],
    })
    await pass(1)
    for (let n = 2; !changes.some((change) => change.endsWith('>9')); n++) {
      await until(() => waits().length === n || changes.some((change) => change.endsWith('>9')))
      if (waits().length === n) await pass(n)
    }
    expect(asked('list').filter(({ query }) => query.get('limit') !== '1')).toHaveLength(1)
    expect(Number(asked('watch').at(-1)?.query.get('resourceVersion'))).toBeGreaterThanOrEqual(6)
    for (const ms of waits()) expect(ms).toBeGreaterThanOrEqual(800)
    for (const ms of waits()) expect(ms).toBeLessThanOrEqual(30_000)
  })

  it.each<[string, Step]>([
    ['as an ERROR event', events(['ERROR', statusOf(410, 'Expired')])],
    ['as HTTP status', refuse(410, 'Gone')],
  ])('lists anew at once, and once, on 410 %s, and sees what is gone', async (_, gone) => {
    const { asked, changes, names, waits, relists } = await mirror({
      lists: [page('5', [machine('a', '1'), machine('b', '2')]), page('9', [machine('b', '2'), machine('c', '8')])],
      watches: [gone, events()],
    })
    await until(() => asked('watch').length === 2)
    expect(waits()).toEqual([0])
    expect(asked('list')).toHaveLength(2)
    expect(asked('watch')[1]?.query.get('resourceVersion')).toBe('9')
    expect(names()).toEqual(['b@2', 'c@8'])
    expect(changes).toEqual(['a ->1', 'b ->2', 'a 1>-', 'c ->8'])
    expect(relists).toEqual(['start', 'expired'])
  })

  it('rests when the server says 410 again and again', async () => {
    const { pass, waits } = await mirror({ lists: [page('5', [])], watches: [refuse(410, 'Expired')] })
    for (let n = 1; n <= 4; n++) await pass(n)
    await until(() => waits().length === 5)
    const [first, second, third] = waits()
    expect(first).toBe(0)
    expect(second).toBeGreaterThanOrEqual(800)
    expect(third).toBeGreaterThanOrEqual(1_600)
  })

  it('starts over when the page token has expired, and shows nothing of the half', async () => {
    const { asked, cache, changes, names } = await mirror({
      lists: [
        page('5', [machine('a', '1'), machine('b', '2')], 'two'),
        refuse(410, 'Expired'),
        page('7', [machine('b', '6')], 'two'),
        page('7', [machine('c', '7')]),
      ],
      watches: [events()],
    })
    await cache.synced(quietCtx())
    expect(changes).toEqual(['b ->6', 'c ->7'])
    expect(names()).toEqual(['b@6', 'c@7'])
    expect(asked('list').map(({ query }) => query.get('continue'))).toEqual([null, 'two', null, 'two'])
  })

  it('does not go round in a circle of pages', async () => {
    const { cache, log } = await mirror({ lists: [page('5', [machine('a', '1')], 'same')], watches: [events()] })
    await until(() => log.lines.length === 1)
    expect(log.lines[0]).toContain('"level":"warn"')
    expect(cache.hasSynced()).toBe(false)
  })

  it('lists anew when nothing came for 90 s, for a server with an older state is silent until it has caught up', async () => {
    const { asked, clock, cache, names, pass, relists } = await mirror({
      lists: [page('5', [machine('a', '5')]), page('3', [machine('a', '2')])],
      watches: [events(['BOOKMARK', { metadata: { resourceVersion: '6' } }]), events()],
    })
    await until(() => cache.connected())
    await until(() => clock.pending === 1)
    await clock.advance(90_000)
    await pass(1)
    await until(() => asked('watch').length === 2)
    expect(asked('watch')[1]?.query.get('resourceVersion')).toBe('3')
    expect(names()).toEqual(['a@2'])
    expect(relists).toEqual(['start', 'away'])
  })

  it('lists anew when the server was away, for it may have come back with an older state', async () => {
    const broken: Step = (response) => response.destroy()
    const { asked, names, pass, relists } = await mirror({
      lists: [page('5', [machine('a', '5')]), broken, broken, page('3', [machine('a', '2')])],
      watches: [(response) => response.destroy(), broken, broken, broken, events()],
    })
    for (let n = 1; n <= 3; n++) await pass(n)
    await until(() => names().includes('a@2'))
    await until(() => asked('watch').length === 5)
    expect(asked('watch')[4]?.query.get('resourceVersion')).toBe('3')
    expect(relists).toEqual(['start', 'away'])
  })

  it('lists anew when a server that broke off then refuses: it has started anew', async () => {
    const { asked, names, pass } = await mirror({
      lists: [page('5', [machine('a', '5')]), page('5', []), page('3', [machine('a', '2')])],
      // A broken connection is tried twice at once.
      watches: [(response) => response.destroy(), (response) => response.destroy(), refuse(403, 'Forbidden'), events()],
    })
    for (let n = 1; n <= 2; n++) await pass(n)
    await until(() => asked('watch').length === 4)
    expect(asked('watch')[3]?.query.get('resourceVersion')).toBe('3')
    expect(names()).toEqual(['a@2'])
  })

  it('lists anew when a server that broke off is back at once with an older state', async () => {
    const { asked, names, pass, relists } = await mirror({
      lists: [page('5', [machine('a', '5')]), page('3', []), page('3', [machine('a', '2')])],
      watches: [(response) => response.destroy(), (response) => response.destroy(), events()],
    })
    await pass(1)
    await until(() => asked('watch').length === 3)
    expect(asked('list').map(({ query }) => query.get('limit'))).toEqual(['2', '1', '2'])
    expect(asked('watch')[2]?.query.get('resourceVersion')).toBe('3')
    expect(names()).toEqual(['a@2'])
    expect(relists).toEqual(['start', 'away'])
  })

  it('waits for one that is away up to 5 s, and for one that is back no longer because it was away', async () => {
    const broken: Step = (response) => response.destroy()
    const { pass, waits } = await mirror({
      lists: [...Array.from({ length: 12 }, () => broken), refuse(403, 'Forbidden'), page('3', [])],
      watches: [events()],
    })
    for (let n = 1; n <= 7; n++) await pass(n)
    for (const [n, whole] of [1_600, 3_200, 5_000, 5_000, 5_000, 5_000, 1_600].entries()) {
      expect(waits()[n]).toBeGreaterThanOrEqual(whole / 2)
      expect(waits()[n]).toBeLessThanOrEqual(whole)
    }
  })

  it('waits longer for a server that others need not wait for', async () => {
    const { pass, waits } = await mirror(
      { lists: [(response) => response.destroy()], watches: [] },
      { maxAwayMs: 10_000 },
    )
    for (let n = 1; n <= 5; n++) await pass(n)
    for (const [n, whole] of [1_600, 3_200, 6_400, 10_000, 10_000].entries()) {
      expect(waits()[n]).toBeGreaterThanOrEqual(whole / 2)
      expect(waits()[n]).toBeLessThanOrEqual(whole)
    }
  })

  it('waits as long as the server asked', async () => {
    const { waits } = await mirror({
      lists: [refuse(429, 'TooManyRequests', { 'retry-after': '45' })],
      watches: [events()],
    })
    await until(() => waits().length === 1)
    expect(waits()).toEqual([45_000])
  })

  it('waits longer from failure to failure, up to 30 s, and begins anew when something came', async () => {
    const { pass, waits } = await mirror({
      lists: [page('5', [])],
      watches: [
        ...Array.from({ length: 7 }, () => refuse(500, 'InternalError')),
        events(['BOOKMARK', { metadata: { resourceVersion: '6' } }], ['ERROR', statusOf(500, 'InternalError')]),
        events(),
      ],
    })
    for (let n = 1; n <= 8; n++) await pass(n)
    for (const [n, whole] of [1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000, 1_600].entries()) {
      expect(waits()[n]).toBeGreaterThanOrEqual(whole / 2)
      expect(waits()[n]).toBeLessThanOrEqual(whole)
    }
  })

  it('does not spin on a server that ends every watch at once', async () => {
    const { waits } = await mirror({ lists: [page('5', [])], watches: [(response) => void response.end()] })
    await until(() => waits().length === 1)
    expect(waits()[0]).toBeGreaterThanOrEqual(800)
  })

  it('goes on at once when a watch has come to its end', async () => {
    let end = () => {}
    const { asked, cache, clock, log } = await mirror({
      lists: [page('5', [])],
      watches: [
        (response) => {
          openWatch(response)('BOOKMARK', { metadata: { resourceVersion: '6' } })
          end = () => void response.end()
        },
        events(),
      ],
    })
    await until(() => cache.connected())
    await clock.advance(60_000)
    end()
    await until(() => asked('watch').length === 2)
    expect(log.lines).toEqual([])
    expect(asked('watch')[1]?.query.get('resourceVersion')).toBe('6')
  })

  it('knows when changes do not reach it', async () => {
    const { cache, log, pass, stub } = await mirror({ lists: [page('5', [])], watches: [events()] })
    await until(() => cache.connected())
    stub.requests.at(-1)?.socket.destroy()
    await until(() => log.lines.length === 1)
    expect(cache.connected()).toBe(false)
    expect(cache.hasSynced()).toBe(true)
    await pass(1)
    await until(() => cache.connected())
  })

  it('ends with ctx, in the middle of a watch or of a wait, and leaves no timer', async () => {
    const watching = await mirror({ lists: [page('5', [])], watches: [events()] })
    await until(() => watching.cache.connected())
    await watching.end()
    expect(watching.clock.pending).toBe(0)
    const waiting = await mirror({ lists: [refuse(500, 'InternalError')], watches: [] })
    await until(() => waiting.clock.pending === 1 && waiting.waits().length === 1)
    await waiting.end()
    expect(waiting.clock.pending).toBe(0)
  })
})
