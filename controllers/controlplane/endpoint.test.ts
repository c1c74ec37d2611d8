import { expect, it } from 'vitest'
import { endpointOf } from './endpoint.ts'

it.each([
  ['https://c1.example.com', { host: 'c1.example.com', port: 443 }],
  ['https://10.0.0.1:6443/', { host: '10.0.0.1', port: 6443 }],
  ['https://[2001:db8::1]:6443', { host: '2001:db8::1', port: 6443 }],
  ['https://rancher.example.com/k8s/clusters/c-1', undefined],
])('%s', (server, endpoint) => {
  expect(endpointOf(server)).toEqual(endpoint)
})
