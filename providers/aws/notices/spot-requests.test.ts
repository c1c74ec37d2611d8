import type { SpotInstanceRequest } from '@aws-sdk/client-ec2'
import { describe, expect, it } from 'vitest'
import type { Instance } from '../../../api/instance.ts'
import type { Notice } from '../../../api/notice.ts'
import { useEc2 } from '../../../test/simulators/aws/use-ec2.ts'
import { FakeClock, hasty } from '../../../test/support/fakes/fake-clock.ts'
import { quietCtx } from '../../../test/support/fakes/quiet-ctx.ts'
import { ownerTag } from '../observe/ownership.ts'
import { Ec2 } from '../wire/client.ts'
import { spotCodes } from './spot-codes.ts'
import { noticesIn, spotRequests } from './spot-requests.ts'

const at = Date.UTC(2026, 0, 1)

function requestWith(Code: string, over: SpotInstanceRequest = {}): SpotInstanceRequest {
  return { InstanceId: 'i-1', Status: { Code, UpdateTime: new Date(at) }, ...over }
}

const noticesOf = (...SpotInstanceRequests: SpotInstanceRequest[]) => noticesIn({ SpotInstanceRequests })

describe('the status of a spot request', () => {
  it.each([
    'instance-terminated-no-capacity',
    'marked-for-termination',
    'marked-for-stop',
    'instance-terminated-by-price',
  ])('%s announces the end two minutes later', (code) => {
    const notice: Notice = { instance: 'i-1', kind: 'Spot', at, deadline: at + 120_000, source: 'SpotRequests' }
    expect(noticesOf(requestWith(code))).toEqual([notice])
  })

  it.each([
    'fulfilled',
    'request-canceled-and-instance-running',
    'instance-terminated-by-user',
    'spot-instance-terminated-by-user',
    'instance-terminated-by-service',
    'instance-terminated-by-schedule',
    'instance-terminated-launch-group-constraint',
    'instance-stopped-by-user',
    'instance-stopped-by-price',
    'instance-stopped-no-capacity',
    // Before there is an instance.
    'pending-evaluation',
    'capacity-not-available',
    // No code of EC2.
    'something-new',
    'constructor',
    '',
  ])('"%s" announces nothing', (code) => {
    expect(noticesOf(requestWith(code))).toEqual([])
  })

  it('each documented code of a fulfilled request has a row, and no other code', () => {
    // The tables "Fulfilled" and "Fulfilled-terminal", and the second name that the list of codes has.
    const documented = [
      'fulfilled',
      'marked-for-stop',
      'instance-stopped-by-user',
      'request-canceled-and-instance-running',
      'marked-for-termination',
      'instance-stopped-by-price',
      'instance-stopped-no-capacity',
      'instance-terminated-by-price',
      'instance-terminated-by-schedule',
      'instance-terminated-by-service',
      'instance-terminated-by-user',
      'spot-instance-terminated-by-user',
      'instance-terminated-no-capacity',
      'instance-terminated-launch-group-constraint',
    ]
    expect(Object.keys(spotCodes).toSorted()).toEqual(documented.toSorted())
  })

  it.each<[string, SpotInstanceRequest]>([
    ['without an instance', { InstanceId: undefined }],
    ['with an empty id', { InstanceId: '' }],
    ['without a status', { Status: undefined }],
    ['without a time', { Status: { Code: 'marked-for-termination' } }],
    ['with a time that is none', { Status: { Code: 'marked-for-termination', UpdateTime: new Date(Number.NaN) } }],
  ])('%s it is left out, and the others count', (_, over) => {
    const code = 'marked-for-termination'
    const found = noticesOf(requestWith(code, over), requestWith(code, { InstanceId: 'i-2' }))
    expect(found.map(({ instance }) => instance)).toEqual(['i-2'])
  })

  it('an answer without the element is no empty list', () => {
    expect(noticesOf()).toEqual([])
    expect(() => noticesIn({})).toThrow('does not come from EC2')
  })
})

it.each(['Spot', 'OnDemand', 'Reserved'] as const)(
  'EC2 is asked while an instance is up that is spot: %s',
  (capacityType) => {
    const { concerns } = spotRequests(new Ec2())
    expect(concerns({ capacityType } as Instance)).toBe(capacityType === 'Spot')
  },
)

describe('the list', () => {
  const scope = { cloud: 'aws', identity: 'default', region: 'us-east-1' } as const
  const marked = {
    TagSpecifications: [
      { ResourceType: 'spot-instances-request' as const, Tags: [{ Key: ownerTag, Value: 'ownerone01' }] },
    ],
  }
  const ec2 = useEc2('EC2')

  const listed = async () => {
    const all: Notice[] = []
    for await (const page of spotRequests(new Ec2()).list(scope, quietCtx({ clock: hasty(new FakeClock()) })))
      all.push(...page.notices)
    return all
  }
  const calls = () =>
    ec2()
      .simulator.control.requests()
      .filter(({ action }) => action === 'DescribeSpotInstanceRequests')

  it('is one call, for our mark and for the codes of a notice', async () => {
    expect(await listed()).toEqual([])
    expect(calls()).toHaveLength(1)
    expect(calls()[0]?.params).toMatchObject({
      'Filter.1.Name': 'tag-key',
      'Filter.1.Value.1': ownerTag,
      'Filter.2.Name': 'status-code',
      'Filter.2.Value.1': 'instance-terminated-no-capacity',
      'Filter.2.Value.2': 'marked-for-termination',
      'Filter.2.Value.3': 'marked-for-stop',
      'Filter.2.Value.4': 'instance-terminated-by-price',
      MaxResults: '500',
    })
    expect(Object.keys(calls()[0]?.params ?? {}), 'no further code').not.toContain('Filter.2.Value.5')
  })

  it('reads every page', async () => {
    const { Instances = [] } = await ec2().launch({ ...marked, MinCount: 501, MaxCount: 501 })
    await ec2().clock.advance(2_000)
    const ids = Instances.map(({ InstanceId = '' }) => InstanceId)
    for (const id of ids) ec2().simulator.control.notice(id)
    expect((await listed()).map(({ instance }) => instance).toSorted()).toEqual(ids.toSorted())
    expect(calls()).toHaveLength(2)
  })

  it('a page that was refused is requested again', async () => {
    const id = await ec2().launchRunning(marked)
    ec2().simulator.control.notice(id)
    ec2().simulator.control.failNext('DescribeSpotInstanceRequests', 1, { code: 'InternalError', message: 'Again.' })
    expect(await listed()).toHaveLength(1)
  })

  it('a time that the SDK cannot read fails the list, in words of ours', async () => {
    const id = await ec2().launchRunning(marked)
    ec2().simulator.control.notice(id)
    ec2().simulator.control.tamper(({ body }) => body.replace(/<updateTime>[^<]*</, '<updateTime>soon<'))
    await expect(listed()).rejects.toMatchObject({ name: 'CloudError', kind: 'transient' })
  })
})
