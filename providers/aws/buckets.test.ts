import { describe, expect, it } from 'vitest'
import { ec2Buckets, turnFor } from './buckets.ts'

const limitsOf = (action: string) => ec2Buckets[turnFor({ action }).bucket]

describe('what EC2 grants', () => {
  it.each([
    ['RunInstances', 5, 2],
    ['TerminateInstances', 100, 5],
    ['CreateTags', 100, 10],
    ['DescribeInstances', 100, 20],
    ['DescribeCapacityBlockOfferings', 10, 0.15],
    ['DescribeSomethingNew', 100, 20],
    ['GetSomethingNew', 100, 20],
    ['ModifySomethingNew', 50, 5],
  ])('%s: %d at once, then %d a second', (action, burst, perSecond) => {
    expect(limitsOf(action)).toEqual({ burst, perSecond })
  })

  it('counts instances besides requests', () => {
    const launch = turnFor({ action: 'RunInstances' })
    expect(Object.entries(launch.also ?? {})).toEqual([[expect.any(String), 1]])
    const end = turnFor({ action: 'TerminateInstances', instances: 50 })
    const [[bucket, tokens] = ['', 0]] = Object.entries(end.also ?? {})
    expect(tokens).toBe(50)
    expect(ec2Buckets[bucket]).toEqual({ burst: 1_000, perSecond: 20 })
  })

  it('has a bucket for whatever a call takes', () => {
    for (const action of [...Object.keys(ec2Buckets), 'DescribeSomethingNew', 'ModifySomethingNew']) {
      const { bucket, also = {} } = turnFor({ action })
      for (const name of [bucket, ...Object.keys(also)]) expect(ec2Buckets).toHaveProperty([name])
    }
  })
})

describe('turns', () => {
  it('terminate, launch, look, in this order', () => {
    const actions = [
      'TerminateInstances',
      'RunInstances',
      'CreateTags',
      'DescribeInstances',
      'DescribeNew',
      'ModifyNew',
    ]
    expect(actions.map((action) => turnFor({ action }).priority)).toEqual([
      'terminate',
      'launch',
      'launch',
      'describe',
      'describe',
      'launch',
    ])
  })

  it('who holds a worker waits for four tokens, and for two seconds at the most', () => {
    expect(turnFor({ action: 'RunInstances' }).maxWaitMs).toBe(2_000)
    expect(turnFor({ action: 'DescribeInstances' }).maxWaitMs).toBe(200)
    expect(turnFor({ action: 'PurchaseCapacityBlock' }).maxWaitMs).toBe(2_000)
    expect(turnFor({ action: 'DescribeInstances', maxWaitMs: Infinity }).maxWaitMs).toBe(Infinity)
  })
})
