import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLog, type LogLevel } from './log.ts'

const canary = 'canary-5f1c9a'

function logTo(level: LogLevel) {
  const lines: string[] = []
  const log = createLog({ level, destination: { write: (line: string) => void lines.push(line) } })
  return { lines, log, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> }
}

describe('a log', () => {
  it('is one JSON object a line, with level, time, fields and message', () => {
    const { lines, log, last } = logTo('info')
    log.with({ controller: 'things' }).warn('Waiting for the Secret', { afterMs: 5, Machine: 'ns/a' })
    expect(lines).toHaveLength(1)
    expect(lines[0]?.endsWith('}\n')).toBe(true)
    expect(last()).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      controller: 'things',
      afterMs: 5,
      Machine: 'ns/a',
      message: 'Waiting for the Secret',
    })
  })

  it('keeps quiet below its level', () => {
    const { lines, log } = logTo('warn')
    log.debug('x')
    log.info('x', { a: 1 })
    log.with({ a: 1 }).info('x')
    expect(lines).toEqual([])
    log.error('x')
    expect(lines).toHaveLength(1)
  })

  it('shows of an error its name, message, stack and cause, and nothing that hangs on it', () => {
    const { lines, log, last } = logTo('info')
    const cause = Object.assign(new TypeError('inner'), { $response: { body: canary } })
    const error = Object.assign(new Error('outer', { cause }), { headers: { x: canary }, body: canary })
    log.error('Trying again after a failure', { error })
    expect(last()['error']).toEqual({
      name: 'Error',
      message: 'outer',
      stack: error.stack,
      cause: { name: 'TypeError', message: 'inner', stack: cause.stack },
    })
    expect(lines.join('')).not.toContain(canary)
    log.error('Several', { error: new AggregateError([new Error('one'), 'two'], 'all') })
    expect(last()['error']).toMatchObject({ message: 'all', errors: [{ message: 'one' }, 'two'] })
  })

  it.each([
    'token',
    'sessionToken',
    'bearer-token',
    'userData',
    'user_data',
    'apikey',
    'apiKey',
    'Authorization',
    'password',
    'secretAccessKey',
    'client_secret',
    'privateKey',
    'client-key-data',
    'set-cookie',
    'stringData',
    'bootstrapData',
    'kubeconfig',
    'credentials',
  ])('does not show what is called %s, however deep', (name) => {
    const { lines, log } = logTo('debug')
    log.info('x', { [name]: canary })
    log.info('x', { a: [{ b: { [name]: canary } }] })
    log.info('x', { [name]: { of: { another: canary } } })
    log.with({ [name]: canary }).info('x')
    log.info('x', { error: new Error('e', { cause: { [name]: canary } }) })
    expect(lines).toHaveLength(5)
    expect(lines.join('')).not.toContain(canary)
  })

  it.each([
    ['a bearer token', `header Authorization: Bearer ${canary}.x`],
    ['a signed token', `got eyJhbGciOiJIUzI1NiJ9.${canary}.sig`],
    ['a private key', `-----BEGIN EC PRIVATE KEY-----\n${canary}\n-----END EC PRIVATE KEY-----`],
    ['half a private key', `-----BEGIN PRIVATE KEY-----\n${canary}`],
    ['a password in a URL', `https://user:${canary}@example.com/path`],
  ])('does not show %s in the middle of a text', (_, text) => {
    const { lines, log } = logTo('debug')
    log.info('x', { text, list: [text], error: new Error(text, { cause: text }) })
    expect(lines.join('')).not.toContain(canary)
    expect(lines.join('')).toContain('[redacted]')
  })

  it('shows the names of Secrets and other harmless neighbours', () => {
    const { log, last } = logTo('info')
    const fields = {
      Secret: 'ns/boot',
      dataSecretName: 'boot',
      key: 'ns/a',
      tokens: 3,
      password: undefined,
      none: null,
    }
    log.info('x', fields)
    expect(last()).toMatchObject({ Secret: 'ns/boot', dataSecretName: 'boot', key: 'ns/a', tokens: 3, none: null })
  })

  it('shows no bytes, and nothing without end', () => {
    const { lines, log, last } = logTo('info')
    const circle: Record<string, unknown> = { name: 'circle' }
    circle['self'] = circle
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n]))
    log.info('x', {
      bytes: Buffer.from(canary),
      circle,
      wide,
      long: 'y'.repeat(100_000),
      list: Array.from({ length: 500 }, () => 1),
    })
    expect(lines.join('')).not.toContain(canary)
    expect(lines[0]?.length).toBeLessThan(10_000)
    expect(last()['bytes']).toBe(`[${canary.length} bytes]`)
  })

  it('shows dates, sets, maps, URLs and big numbers as people read them', () => {
    const { log, last } = logTo('info')
    log.info('x', {
      at: new Date(0),
      never: new Date(Number.NaN),
      set: new Set(['a']),
      map: new Map([['a', 1]]),
      url: new URL('https://a/b'),
      big: 10n,
      run: () => {},
    })
    expect(last()).toMatchObject({
      at: '1970-01-01T00:00:00.000Z',
      never: null,
      set: ['a'],
      map: { a: 1 },
      url: 'https://a/b',
      big: '10',
    })
  })

  it('is no reason to fail, even for what cannot be looked at', () => {
    const { log, last } = logTo('info')
    const trap = {
      get value() {
        throw new Error('do not look')
      },
    }
    log.with({ trap }).info('x', { trap })
    expect(last()).toMatchObject({ message: 'x', unreadable: true })
  })

  it('writes one readable line, whatever it is given', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), (fields) => {
        const { lines, log } = logTo('debug')
        log.with(fields).debug('x', fields)
        expect(lines).toHaveLength(1)
        expect(JSON.parse(lines[0] ?? '')).toBeTypeOf('object')
      }),
    )
  })
})
