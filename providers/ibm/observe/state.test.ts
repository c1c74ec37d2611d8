import fc from 'fast-check'
import { markInName } from '../../../test/support/tag-in-name.ts'
import { describe, expect, it } from 'vitest'
import { instanceName } from '../../shared/instance-name.ts'
import { providerIDOf } from './provider-id.ts'
import { startFailures } from '../wire/reasons.ts'
import { toInstance } from './state.ts'
import type { VpcInstance } from '../wire/documents.ts'

const ours = { owner: 'ownerone01', machine: 'default/m1', token: 'tokennumber1' }
const name = instanceName(ours) ?? ''

const vpc = (over: Partial<VpcInstance> = {}): VpcInstance => ({
  id: '0717_1',
  name,
  crn: 'crn:v1:bluemix:public:is:us-south-1:a/f00d::instance:0717_1',
  status: 'running',
  status_reasons: [],
  lifecycle_reasons: [],
  availability: { class: 'spot' },
  profile: { name: 'bxf-2x8' },
  zone: { name: 'us-south-1' },
  primary_network_interface: { name, primary_ip: { address: '10.240.0.4' } },
  ...over,
})
const because = (code: string) => [{ code, message: `${code}.` }]

it('names the instance as IBM’s cloud provider does, with the account out of its crn', () => {
  expect(providerIDOf(toInstance(vpc()), 'c1')).toBe('ibm://f00d///c1/0717_1')
})

describe('the state', () => {
  it.each([
    ['pending', 'pending', false],
    ['starting', 'pending', false],
    ['running', 'running', true],
    ['restarting', 'pending', true],
    ['stopping', 'stopping', true],
    ['stopped', 'stopped', true],
    ['deleting', 'terminating', false],
    ['frozen', 'pending', false],
  ])('%s is %s, started: %s; what is new to us is "not ready", never fatal', (status, state, started) => {
    const instance = toInstance(vpc({ status }))
    expect(instance).toMatchObject({ state, started })
    expect(instance.failure).toBeUndefined()
  })
})

describe('a start that failed after IBM had said yes', () => {
  it.each(Object.entries(startFailures))('%s is a refusal of kind %s', (code, kind) => {
    const failed = toInstance(vpc({ status: 'stopped', status_reasons: because(code) }))
    expect(failed).toMatchObject({ state: 'stopped', started: false, failure: { kind, code } })
    expect(failed.failure?.message.endsWith(`${code}.`)).toBe(true)
  })

  it('is one in either list, and with a code of the family that is new to us', () => {
    expect(toInstance(vpc({ status: 'stopped', lifecycle_reasons: because('cannot_start_capacity') }))).toMatchObject({
      failure: { kind: 'capacity' },
    })
    expect(toInstance(vpc({ status: 'stopped', status_reasons: because('cannot_start_moon_phase') }))).toMatchObject({
      failure: { kind: 'transient' },
    })
    expect(toInstance(vpc({ status: 'stopped', status_reasons: because('cannot_start_capacity_gpu') }))).toMatchObject({
      failure: { kind: 'capacity' },
    })
  })

  it.each(['pending', 'starting', 'running', 'stopping'])(
    'is none while it is %s: it may still come to something',
    (status) => {
      expect(toInstance(vpc({ status, status_reasons: because('cannot_start') })).failure).toBeUndefined()
    },
  )

  it('failed is a refusal for who never served, and not the end of who serves', () => {
    const failed = toInstance(vpc({ status: 'failed', status_reasons: because('cannot_start_compute') }))
    expect(failed).toMatchObject({ state: 'pending', started: false, failure: { kind: 'transient' } })
  })

  it('failed without a reason is one too', () => {
    expect(toInstance(vpc({ status: 'failed' }))).toMatchObject({ failure: { kind: 'transient', code: 'failed' } })
    const registration = vpc({ status: 'failed', lifecycle_reasons: because('failed_registration') })
    expect(toInstance(registration)).toMatchObject({ failure: { kind: 'transient', code: 'failed_registration' } })
  })
})

describe('a preemption', () => {
  it.each(['status_reasons', 'lifecycle_reasons'] as const)('is told from %s', (list) => {
    for (const status of ['stopping', 'stopped', 'deleting']) {
      expect(toInstance(vpc({ status, [list]: because('stopped_by_preemption') }))).toMatchObject({
        interrupted: true,
        started: true,
        reason: { code: 'stopped_by_preemption' },
      })
    }
  })

  it('stands before whatever else is said', () => {
    const both = [...because('suspended'), ...because('stopped_by_preemption')]
    expect(toInstance(vpc({ status: 'stopped', status_reasons: both })).reason?.code).toBe('stopped_by_preemption')
  })

  it('is over when it runs again, and is no host failure and no stop by its user', () => {
    expect(toInstance(vpc({ status_reasons: because('stopped_by_preemption') })).interrupted).toBeUndefined()
    expect(toInstance(vpc({ status: 'stopped' })).interrupted).toBeUndefined()
    const host = toInstance(vpc({ status: 'stopped', status_reasons: because('stopped_by_host_failure') }))
    expect(host).toMatchObject({ state: 'stopped', reason: { code: 'stopped_by_host_failure' } })
    expect([host.interrupted, host.failure]).toEqual([undefined, undefined])
  })
})

describe('the addresses', () => {
  it('are that of the first interface, and the name', () => {
    expect(toInstance(vpc()).addresses).toEqual([
      { type: 'InternalIP', address: '10.240.0.4' },
      { type: 'InternalDNS', address: name },
      { type: 'Hostname', address: name },
    ])
  })

  it.each(['0.0.0.0', '', undefined])('%s is none', (address) => {
    const primary_ip = address === undefined ? {} : { address }
    expect(toInstance(vpc({ primary_network_interface: { name, primary_ip } })).addresses).toEqual([])
  })
})

it('what was really bought decides what it is', () => {
  expect(toInstance(vpc()).capacityType).toBe('Spot')
  expect(toInstance(vpc({ availability: { class: 'standard' } })).capacityType).toBe('OnDemand')
  expect(toInstance(vpc({ availability: {}, reservation: { id: 'r' } })).capacityType).toBe('Reserved')
})

describe('whose it is', () => {
  it('is said by its name and by that of its interface', () => {
    expect(toInstance(vpc()).tag).toEqual(markInName(ours))
  })

  it.each([
    ['a stranger’s of this name', { primary_network_interface: { name: 'eth0' } }],
    ['a stranger’s without an interface', { primary_network_interface: undefined }],
    ['a copy with this interface', { name: 'a-copy' }],
    ['one of names that are not ours', { name: 'eth0', primary_network_interface: { name: 'eth0' } }],
  ])('%s proves nothing', (_, over) => {
    expect(toInstance(vpc(over as Partial<VpcInstance>)).tag).toBeUndefined()
  })
})

it('words that are new to us are never fatal', () => {
  const word = fc.stringMatching(/^[a-z_]{1,20}$/)
  const fresh = word.filter(
    (code) => !/^(stopped|stopping|failed|deleting|cannot_start|encryption_key_deleted)/.test(code),
  )
  const reasons = fc.array(fresh.map((code) => ({ code, message: code })))
  fc.assert(
    fc.property(fresh, reasons, reasons, (status, status_reasons, lifecycle_reasons) => {
      const instance = toInstance(vpc({ status, status_reasons, lifecycle_reasons }))
      expect(instance.failure).toBeUndefined()
      expect(instance.interrupted).toBeUndefined()
      expect(['pending', 'running']).toContain(instance.state)
    }),
    { examples: [['constructor', [{ code: 'constructor', message: '' }], []]] },
  )
})
