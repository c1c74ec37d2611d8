import { describe, expect, it } from 'vitest'
import { endpointOf } from './endpoint.ts'

const endpoint = (given?: string) => endpointOf({ CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE: given }).href

describe('where GCE is', () => {
  it.each([
    [undefined, 'https://compute.googleapis.com/compute/v1/'],
    ['', 'https://compute.googleapis.com/compute/v1/'],
    ['https://compute-mine.p.googleapis.com', 'https://compute-mine.p.googleapis.com/compute/v1/'],
    ['https://www.googleapis.com/compute/v1', 'https://www.googleapis.com/compute/v1/'],
    ['https://www.googleapis.com/compute/beta//', 'https://www.googleapis.com/compute/beta/'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/compute/v1/'],
    ['http://127.9.9.9:8080', 'http://127.9.9.9:8080/compute/v1/'],
    ['http://localhost:8080/', 'http://localhost:8080/compute/v1/'],
    ['http://[::1]:8080', 'http://[::1]:8080/compute/v1/'],
  ])('%s: %s', (given, href) => {
    expect(endpoint(given)).toBe(href)
  })

  it.each([
    ['http://compute.example.com', 'is plain http to compute.example.com'],
    ['http://127.0.0.1.example.com', 'is plain http to 127.0.0.1.example.com'],
    ['http://10.0.0.1', 'is plain http to 10.0.0.1'],
    ['compute.googleapis.com', 'is not an http or https address'],
    ['ftp://compute.googleapis.com', 'is not an http or https address'],
    ['https://user:secret@compute.googleapis.com', 'must be an address only'],
    ['https://compute.googleapis.com/?key=secret', 'must be an address only'],
  ])('is refused as %s', (given, why) => {
    const thrown = thrownBy(() => endpoint(given))
    expect(thrown).toMatchObject({ kind: 'denied', code: 'InvalidEndpoint' })
    expect(String(thrown)).toContain('CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE ')
    expect(String(thrown)).toContain(why)
    expect(String(thrown)).not.toContain('secret')
  })
})

function thrownBy(run: () => unknown): unknown {
  try {
    return run()
  } catch (thrown) {
    return thrown
  }
}
