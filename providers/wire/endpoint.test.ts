import { describe, expect, it } from 'vitest'
import { addressIn, withoutSlash } from './endpoint.ts'

const address = (given: string) => addressIn('SOME_ENDPOINT', given, 'https://cloud.example')

describe('an endpoint', () => {
  it.each(['http://127.0.0.1:1234', 'http://127.8.9.1', 'http://localhost:1', 'http://[::1]:99', 'https://localhost'])(
    'may be %s, on this machine',
    (given) => {
      expect(address(given)).toEqual({ url: new URL(given), isLocal: true })
    },
  )

  it('may be anywhere with https', () => {
    const given = 'https://127.0.0.1.example/v1'
    expect(address(given)).toEqual({ url: new URL(given), isLocal: false })
  })

  it.each([
    ['http://cloud.example', 'is plain http to cloud.example; use https'],
    ['http://10.0.0.1', 'is plain http to 10.0.0.1'],
    ['http://127.0.0.1.example', 'is plain http to 127.0.0.1.example'],
    ['http://localhost.example', 'is plain http to localhost.example'],
    ['cloud.example', 'is not an http or https address; write it like https://cloud.example.'],
    ['ftp://127.0.0.1', 'is not an http or https address'],
    ['https://user:secret@cloud.example', 'must be an address only; write it like https://cloud.example.'],
    ['https://cloud.example/?key=secret', 'must be an address only'],
    ['https://cloud.example/#secret', 'must be an address only'],
  ])('is refused as %s, with the variable and what to do, and without a secret', (given, says) => {
    expect(() => address(given)).toThrow(`SOME_ENDPOINT ${says}`)
    expect(() => address(given)).toThrow(expect.objectContaining({ kind: 'denied', code: 'InvalidEndpoint' }))
    expect(() => address(given)).not.toThrow(/secret/)
  })

  it('is told without slashes at its end', () => {
    expect(withoutSlash(new URL('https://cloud.example/'))).toBe('https://cloud.example')
    expect(withoutSlash(new URL('https://cloud.example/v1//'))).toBe('https://cloud.example/v1')
  })
})
