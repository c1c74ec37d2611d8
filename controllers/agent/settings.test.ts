import { expect, test } from 'vitest'
import { settingsOf } from './settings.ts'

const env = {
  NODE_NAME: 'n1',
  POD_NAME: 'p1',
  POD_NAMESPACE: 'capspot-agent',
  KUBERNETES_SERVICE_HOST: '10.0.0.1',
  KUBERNETES_SERVICE_PORT: '443',
}

test('what a Pod has', () => {
  expect(settingsOf(env)).toEqual({
    node: 'n1',
    pod: { namespace: 'capspot-agent', name: 'p1' },
    apiServer: 'https://10.0.0.1:443',
    metadata: 'http://169.254.169.254',
    credentials: '/var/run/secrets/kubernetes.io/serviceaccount',
  })
})

test('addresses of IPv6', () => {
  const six = { ...env, KUBERNETES_SERVICE_HOST: 'fd00::1', CAPSPOT_METADATA_ENDPOINT: 'http://[fd00:ec2::254]' }
  expect(settingsOf(six)).toMatchObject({ apiServer: 'https://[fd00::1]:443', metadata: 'http://[fd00:ec2::254]' })
})

test.each(Object.keys(env))('without %s it says which is missing', (name) => {
  expect(() => settingsOf({ ...env, [name]: '' })).toThrow(`${name} is not set`)
})

test.each(['169.254.169.254', 'https://169.254.169.254', 'http://a/latest', 'http://a/?b', 'file:///etc'])(
  '%s is no metadata service',
  (text) => {
    expect(() => settingsOf({ ...env, CAPSPOT_METADATA_ENDPOINT: text })).toThrow('CAPSPOT_METADATA_ENDPOINT must be')
  },
)
