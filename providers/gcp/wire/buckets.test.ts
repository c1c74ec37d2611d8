import { describe, expect, it } from 'vitest'
import { gceBuckets, turnFor, type GceAction } from './buckets.ts'

describe('what GCE grants a project', () => {
  it('is never exceeded in any minute of the clock on the wall', () => {
    for (const { burst, perSecond } of Object.values(gceBuckets))
      expect(burst + 60 * perSecond).toBeLessThanOrEqual(1_500)
  })

  it.each([
    ['instances.insert', 'queries', 'launch'],
    ['instances.delete', 'queries', 'terminate'],
    ['instances.get', 'reads', 'describe'],
    ['instances.aggregatedList', 'lists', 'describe'],
    ['globalOperations.aggregatedList', 'lists', 'describe'],
    ['machineTypes.aggregatedList', 'lists', 'describe'],
    ['regions.get', 'reads', 'describe'],
  ] as const satisfies [GceAction, string, string][])('%s draws on %s, as a %s', (action, bucket, priority) => {
    expect(turnFor({ action })).toEqual({ bucket, priority, maxWaitMs: 2_000 })
  })

  it('is waited for as long as it takes by who holds no worker, and in one’s own place', () => {
    expect(turnFor({ action: 'instances.insert', key: 'token', maxWaitMs: Infinity })).toMatchObject({
      key: 'token',
      maxWaitMs: Infinity,
    })
  })
})
