import { describe, expect, it } from 'vitest'
import { ec2Buckets, turnFor, type Ec2Action } from './buckets.ts'

const limitsOf = (action: Ec2Action) => ec2Buckets[turnFor({ action }).bucket]

const looks = [
  'DescribeInstances',
  'DescribeInstanceStatus',
  'DescribeImages',
  'DescribeInstanceTypes',
  'DescribeInstanceTypeOfferings',
  'DescribeSecurityGroups',
  'DescribeSpotInstanceRequests',
  'DescribeSubnets',
] as const satisfies Ec2Action[]

describe('what EC2 grants', () => {
  it.each([
    ['RunInstances', 5, 2],
    ['TerminateInstances', 100, 5],
    ...looks.map((look) => [look, 100, 20] as const),
  ] as const satisfies (readonly [Ec2Action, number, number])[])(
    '%s: %d at once, then %d a second',
    (action, burst, perSecond) => {
      expect(limitsOf(action)).toEqual({ burst, perSecond })
    },
  )

  it.each([
    ['RunInstances', 2],
    ['TerminateInstances', 20],
  ] as const)('%s counts its instance besides the request', (action, perSecond) => {
    const [[bucket, tokens] = ['', 0], ...others] = Object.entries(turnFor({ action }).also ?? {})
    expect(others).toEqual([])
    expect(tokens).toBe(1)
    expect(ec2Buckets[bucket]).toEqual({ burst: 1_000, perSecond })
  })

  it('has no bucket that no call takes of', () => {
    const taken = ([...looks, 'RunInstances', 'TerminateInstances'] as const).flatMap((action) => {
      const { bucket, also = {} } = turnFor({ action })
      return [bucket, ...Object.keys(also)]
    })
    expect(Object.keys(ec2Buckets).toSorted()).toEqual(taken.toSorted())
  })
})

describe('turns', () => {
  it('terminate, launch, look, in this order', () => {
    const actions = ['TerminateInstances', 'RunInstances', 'DescribeInstances'] as const
    expect(actions.map((action) => turnFor({ action }).priority)).toEqual(['terminate', 'launch', 'describe'])
  })

  it('who holds a worker waits for four tokens, and for two seconds at the most', () => {
    expect(turnFor({ action: 'RunInstances' }).maxWaitMs).toBe(2_000)
    expect(turnFor({ action: 'TerminateInstances' }).maxWaitMs).toBe(800)
    expect(turnFor({ action: 'DescribeInstances' }).maxWaitMs).toBe(200)
    expect(turnFor({ action: 'DescribeInstances', maxWaitMs: Infinity }).maxWaitMs).toBe(Infinity)
  })
})
