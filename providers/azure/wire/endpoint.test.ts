import { describe, expect, it } from 'vitest'
import { endpointFrom } from './endpoint.ts'

const at = (url: string, audience?: string) =>
  endpointFrom({ AZURE_RESOURCE_MANAGER_ENDPOINT: url, AZURE_RESOURCE_MANAGER_AUDIENCE: audience })

const publicScope = 'https://management.azure.com/.default'

describe('where Azure is', () => {
  it('is the public cloud, unless somebody says otherwise', () => {
    expect(endpointFrom({})).toEqual({ url: 'https://management.azure.com', isPlain: false, tokenScope: publicScope })
    expect(at('')).toEqual(endpointFrom({}))
  })

  it('may be another cloud, whose tokens are for it', () => {
    const china = 'https://management.chinacloudapi.cn'
    expect(at(`${china}/`)).toEqual({ url: china, isPlain: false, tokenScope: `${china}/.default` })
    expect(at('https://stack.local', 'https://audience/').tokenScope).toBe('https://audience/.default')
  })

  it.each(['http://127.0.0.1:1234', 'http://127.8.9.1', 'http://localhost:1', 'http://[::1]:99'])(
    'may be %s: nobody listens on the way',
    (url) => {
      expect(at(url)).toEqual({ url, isPlain: true, tokenScope: publicScope })
    },
  )

  it.each(['http://management.azure.com', 'http://127.0.0.1.example.com', 'management.azure.com'])(
    'is never %s, where a token would be seen',
    (url) => {
      expect(() => at(url)).toThrow(/^AZURE_RESOURCE_MANAGER_ENDPOINT is .*(use https|write it like)/)
      expect(() => at(url)).toThrow(expect.objectContaining({ kind: 'denied', code: 'InvalidEndpoint' }))
    },
  )
})
