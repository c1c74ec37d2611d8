import { describe, expect, test } from 'vitest'
import { validate } from './validate.ts'

const machine = {
  apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
  kind: 'AWSMachine',
  metadata: { name: 'm', namespace: 'n' },
  spec: { instanceType: 'm5.large', ami: { id: 'ami-0123456789abcdef0' } },
}

function withSpec(over: object): object {
  return { ...machine, spec: { ...machine.spec, ...over } }
}

describe('validate', () => {
  test('finds nothing wrong with a machine as the apiserver hands it out', () => {
    const running = {
      ...withSpec({ providerID: 'aws:///eu-west-1a/i-0123456789abcdef0', spotMarketOptions: {} }),
      status: {
        initialization: { provisioned: true },
        conditions: [
          { type: 'Ready', status: 'True', reason: 'Running', message: '', lastTransitionTime: '2026-01-02T03:04:05Z' },
        ],
      },
    }
    expect(validate('AWSMachine', running)).toEqual([])
  })

  test('lets fields of a newer CRD pass', () => {
    expect(validate('AWSMachine', withSpec({ tenancy: 'dedicated' }))).toEqual([])
  })

  test.each([
    { because: 'a field is missing', spec: { rootVolume: {} }, says: 'spec.rootVolume.size is missing; set it.' },
    {
      because: 'an entry of a list is wrong',
      spec: { additionalSecurityGroups: [{ id: 7 }] },
      says: 'spec.additionalSecurityGroups.0.id is 7, but it must be of type string.',
    },
    {
      because: 'it is none of the choices',
      spec: { marketType: 'Free' },
      says: 'spec.marketType is "Free", but it must be one of OnDemand, Spot, CapacityBlock.',
    },
    {
      because: 'it is of another type',
      spec: { sshKeyName: 7 },
      says: 'spec.sshKeyName is 7, but it must be of type string.',
    },
    {
      because: 'it is out of bounds',
      spec: { rootVolume: { size: 4 } },
      says: 'spec.rootVolume.size is 4, but it must be >= 8.',
    },
    {
      because: 'a key has a slash',
      spec: { additionalTags: { 'a/b~c': 1 } },
      says: 'spec.additionalTags.a/b~c is 1, but it must be of type string.',
    },
    {
      because: 'the value is long',
      spec: { sshKeyName: 'x'.repeat(300) },
      says: `spec.sshKeyName is "${'x'.repeat(58)}…, but it must not have more than 255 characters.`,
    },
  ])('names the field, the value and what to do when $because', ({ spec, says }) => {
    expect(validate('AWSMachine', withSpec(spec))).toEqual([says])
  })

  test('knows the formats of the apiserver', () => {
    const at = (port: unknown) => ({
      apiVersion: 'spot.cluster.x-k8s.io/v1alpha1',
      kind: 'ExternalControlPlane',
      metadata: {},
      spec: { controlPlaneEndpoint: { host: 'h', port } },
      status: {
        conditions: [{ type: 'Available', status: 'True', reason: 'R', message: '', lastTransitionTime: 'today' }],
      },
    })
    expect(validate('ExternalControlPlane', at(6443))).toEqual([
      'status.conditions.0.lastTransitionTime is "today", but it must match format "date-time".',
    ])
    expect(validate('ExternalControlPlane', at(2 ** 40))).toContain(
      'spec.controlPlaneEndpoint.port is 1099511627776, but it must match format "int32".',
    )
  })

  test('refuses what is another kind, and what is no object', () => {
    expect(validate('AWSCluster', machine)).toContain('kind is "AWSMachine", but it must be one of AWSCluster.')
    expect(validate('AWSMachine', 'text')).toEqual(['AWSMachine is "text", but it must be of type object.'])
  })
})
