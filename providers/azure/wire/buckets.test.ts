import { describe, expect, it } from 'vitest'
import { actions, type ArmAction } from './actions.ts'
import { armBuckets, turnFor } from './buckets.ts'

const all = Object.keys(actions) as ArmAction[]

describe('Azure’s buckets', () => {
  it('are those that Azure documents: the front door’s a second, compute’s a minute, network’s in five', () => {
    expect(armBuckets.writes).toEqual({ burst: 200, perSecond: 10 })
    expect(armBuckets.HighCostGetVM).toEqual({ burst: 900, perSecond: 5 })
    expect(armBuckets.NetworkWrites.perSecond * 300).toBeCloseTo(1_000)
  })

  it.each(all)('%s takes from the front door too, by its method', (action) => {
    const { bucket, also = {}, priority } = turnFor({ action })
    const door = { get: 'reads', put: 'writes', delete: 'deletes' }[actions[action].method]
    expect({ [bucket]: 1, ...also }).toHaveProperty(door, 1)
    expect(priority).toBe({ get: 'describe', put: 'launch', delete: 'terminate' }[actions[action].method])
  })

  it('a launch has the tokens of both its calls', () => {
    const { bucket, also } = turnFor({ action: 'Launch' })
    expect({ [bucket]: 1, ...also }).toEqual({ PutVM: 1, NetworkWrites: 1, writes: 2 })
  })

  it('who holds a worker waits for some turns, and never for more than two seconds', () => {
    for (const action of [...all, 'Launch'] as const) {
      expect(turnFor({ action }).maxWaitMs).toBeGreaterThan(0)
      expect(turnFor({ action }).maxWaitMs).toBeLessThanOrEqual(2_000)
    }
    expect(turnFor({ action: 'Disks_List', maxWaitMs: Infinity }).maxWaitMs).toBe(Infinity)
    expect(turnFor({ action: 'Launch', key: 'token' }).key).toBe('token')
  })
})
