import { afterEach, describe, expect, it, vi } from 'vitest'
import { apiKey, iamEndpoint, vpcEndpoint } from './endpoint.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('where nothing is said', () => {
  it('VPC is that of the region, and IAM is IBM’s', () => {
    vi.stubEnv('IBMCLOUD_VPC_API_ENDPOINT', undefined)
    vi.stubEnv('IBMCLOUD_IAM_API_ENDPOINT', '')
    expect(vpcEndpoint('eu-de')).toEqual({ url: 'https://eu-de.iaas.cloud.ibm.com/v1', isLocal: false })
    expect(iamEndpoint()).toEqual({ url: 'https://iam.cloud.ibm.com/identity/token', isLocal: false })
  })

  it.each(['evil.example/', 'us-south.evil.example', 'us-south/../x', ''])('our token never goes to "%s"', (region) => {
    vi.stubEnv('IBMCLOUD_VPC_API_ENDPOINT', undefined)
    expect(() => vpcEndpoint(region)).toThrow('is not a region of IBM Cloud; correct it.')
  })
})

describe('where an endpoint is said', () => {
  it.each([
    ['https://private.example/v1', 'https://private.example/v1', false],
    ['https://private.example/v1/', 'https://private.example/v1', false],
    ['https://private.example', 'https://private.example/v1', false],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1', true],
    ['http://localhost:8080/ibm', 'http://localhost:8080/ibm/v1', true],
    ['http://[::1]:8080', 'http://[::1]:8080/v1', true],
    ['https://127.0.0.1.example', 'https://127.0.0.1.example/v1', false],
  ])('%s is %s', (given, url, isLocal) => {
    vi.stubEnv('IBMCLOUD_VPC_API_ENDPOINT', given)
    expect(vpcEndpoint('us-south')).toEqual({ url, isLocal })
  })

  it.each([
    [
      'http://iam.example',
      'is plain http to iam.example; use https, because plain http is allowed on loopback addresses only.',
    ],
    ['http://127.0.0.1.example', 'is plain http'],
    ['iam.example', 'is not an http or https address; write it like'],
    ['ftp://iam.example', 'is not an http or https address'],
    ['https://user:password@iam.example', 'must be an address only'],
    ['https://iam.example?x=1', 'must be an address only'],
  ])('%s is refused, with the variable and what to do', (given, says) => {
    vi.stubEnv('IBMCLOUD_IAM_API_ENDPOINT', given)
    expect(() => iamEndpoint()).toThrow(`IBMCLOUD_IAM_API_ENDPOINT ${says}`)
    expect(() => iamEndpoint()).toThrow(expect.objectContaining({ kind: 'denied', code: 'InvalidEndpoint' }))
  })

  it('IAM is named with its path or without', () => {
    for (const given of ['https://iam.example', 'https://iam.example/identity/token']) {
      vi.stubEnv('IBMCLOUD_IAM_API_ENDPOINT', given)
      expect(iamEndpoint().url).toBe('https://iam.example/identity/token')
    }
  })
})

it('without an API key a person has to act, and is told how', () => {
  vi.stubEnv('IBMCLOUD_API_KEY', '')
  expect(() => apiKey()).toThrow(expect.objectContaining({ kind: 'denied', code: 'Misconfigured' }))
  vi.stubEnv('IBMCLOUD_API_KEY', 'key')
  expect(apiKey()).toBe('key')
})
