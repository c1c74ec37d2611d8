import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keptLog, quietCtx, type KeptLog } from '../../../test/support/fakes/quiet-ctx.ts'
import { PageServer, type Page, type Pages } from './page-server.ts'

describe('the page server', () => {
  let stop: AbortController
  let log: KeptLog
  let ended: Promise<void> | undefined
  beforeEach(() => {
    stop = new AbortController()
    log = keptLog()
  })
  afterEach(async () => {
    stop.abort(new Error('over'))
    await ended
  })

  const text = (body: string): Page => ({ status: 200, type: 'text/plain', body })

  async function serving(pages: Pages, port = 0): Promise<string> {
    const server = new PageServer(pages, { host: '127.0.0.1', port })
    ended = server.run(quietCtx({ signal: stop.signal, log }))
    await server.listening()
    const { address } = JSON.parse(log.lines[0] ?? '{}') as { address: { port: number } }
    return `http://127.0.0.1:${address.port}`
  }

  it('serves what there is, and says so where there is nothing', async () => {
    const url = await serving({ '/healthz': () => text('well'), '/metrics': async () => text('many') })
    expect(await (await fetch(`${url}/healthz?verbose`)).text()).toBe('well')
    const metrics = await fetch(`${url}/metrics`)
    expect(await metrics.text()).toBe('many')
    expect(metrics.headers.get('cache-control')).toBe('no-store')
    for (const path of ['/', '/toString', '/__proto__', '/metrics/']) {
      const answer = await fetch(`${url}${path}`)
      expect([answer.status, await answer.text()]).toEqual([404, 'There is /healthz, /metrics.\n'])
    }
  })

  it('is for reading only', async () => {
    const url = await serving({ '/healthz': () => text('well') })
    expect((await fetch(`${url}/healthz`, { method: 'POST', body: 'x' })).status).toBe(405)
    const head = await fetch(`${url}/healthz`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('tells the log, and not the reader, why a page could not be made', async () => {
    const fails = () => {
      throw new Error('canary')
    }
    const url = await serving({ '/metrics': fails })
    const answer = await fetch(`${url}/metrics`)
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain('canary')
    expect(log.lines.join()).toMatch(/could not be made/)
  })

  it('ends with its signal, though a reader keeps his connection', async () => {
    const url = await serving({ '/healthz': () => text('well') })
    await (await fetch(`${url}/healthz`)).text()
    stop.abort(new Error('over'))
    await ended
    await expect(fetch(`${url}/healthz`)).rejects.toThrow()
  })

  it('fails with a sentence when the address is taken', async () => {
    const url = await serving({ '/healthz': () => text('well') })
    const port = Number(new URL(url).port)
    const second = new PageServer({}, { host: '127.0.0.1', port })
    await expect(second.run(quietCtx())).rejects.toThrow(/EADDRINUSE.*choose another --metrics-bind-address, or 0/)
  })
})
