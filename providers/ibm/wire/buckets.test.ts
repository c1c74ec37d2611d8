import { describe, expect, it } from 'vitest'
import { ibmBuckets, isWrite, turnFor, type IbmAction } from './buckets.ts'

const actions: IbmAction[] = [
  'delete_instance',
  'get_token',
  'create_instance',
  'get_instance',
  'list_instances',
  'get_instance_profile',
  'list_images',
  'get_subnet',
]

describe('turns', () => {
  it('to end comes first, as does what every call needs; then to launch, then to look', () => {
    expect(actions.map((action) => turnFor({ action }).priority)).toEqual([
      'terminate',
      'terminate',
      'launch',
      ...Array.from({ length: 5 }, () => 'describe'),
    ])
  })

  it('have a bucket that there is', () => {
    for (const action of actions) expect(ibmBuckets).toHaveProperty([turnFor({ action }).bucket])
  })

  it('launches, ends and looks do not wait for each other', () => {
    const own = (['create_instance', 'delete_instance', 'list_instances', 'get_token'] as const).map(
      (action) => turnFor({ action }).bucket,
    )
    expect(new Set(own).size).toBe(4)
  })

  it('who holds a worker waits for four tokens, and for two seconds at the most', () => {
    expect(turnFor({ action: 'create_instance' }).maxWaitMs).toBe(800)
    expect(turnFor({ action: 'get_instance' }).maxWaitMs).toBe(400)
    expect(turnFor({ action: 'get_token' }).maxWaitMs).toBe(2_000)
    expect(turnFor({ action: 'list_instances', maxWaitMs: Infinity }).maxWaitMs).toBe(Infinity)
  })

  it('keep the place of who comes back', () => {
    expect(turnFor({ action: 'create_instance', key: 'token' }).key).toBe('token')
    expect(turnFor({ action: 'create_instance' }).key).toBeUndefined()
  })
})

it('to create and to delete is to change something; a token changes nothing', () => {
  expect(actions.filter(isWrite)).toEqual(['delete_instance', 'create_instance'])
})
