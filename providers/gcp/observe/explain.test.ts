import { describe, expect, it } from 'vitest'
import { explain } from './explain.ts'
import type { GceOperation } from '../wire/documents.ts'

/** GCE writes times with the offset of the Pacific coast, and lists operations in any order. */
const operation = (operationType: string, minute: number, over: Partial<GceOperation> = {}): GceOperation => ({
  operationType,
  status: 'DONE',
  insertTime: `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000-08:00`,
  user: 'alice@example.com',
  ...over,
})
const insert = operation('insert', 0)
const preempted = operation('compute.instances.preempted', 9, {
  user: 'system',
  statusMessage: 'Instance was preempted.',
})
const failed = (code: string) => ({ error: { errors: [{ code, message: 'A sentence.' }] } })

describe('the operations on an instance', () => {
  it.each([
    ['none at all', []],
    ['an insert that went well', [insert]],
    [
      'something that ends nothing',
      [insert, operation('setLabels', 1), operation('compute.instances.migrateOnHostMaintenance', 2)],
    ],
    ['a stop after which it was started again', [operation('start', 5), insert, operation('stop', 3)]],
    ['a delete that failed', [insert, operation('delete', 1, failed('RESOURCE_IN_USE_BY_ANOTHER_RESOURCE'))]],
    ['an insert that somebody cut short', [{ ...insert, ...failed('OPERATION_CANCELED_BY_USER') }]],
  ])('explain nothing: %s', (_, operations) => {
    expect(explain(operations)).toBeUndefined()
  })

  it('an insert under way: it is coming', () => {
    expect(explain([{ ...insert, status: 'RUNNING' }])).toEqual({ is: 'coming' })
  })

  it('an insert that failed: why', () => {
    const operations = [{ ...insert, ...failed('ZONE_RESOURCE_POOL_EXHAUSTED') }, operation('delete', 1)]
    expect(explain(operations)).toMatchObject({ is: 'failed', failure: { kind: 'capacity', message: 'A sentence.' } })
  })

  it('preempted, whatever else was done to it since it began', () => {
    const why = {
      is: 'ended',
      interrupted: true,
      reason: { code: 'compute.instances.preempted', message: 'Instance was preempted.' },
    }
    expect(explain([preempted, insert])).toEqual({ ...why, how: 'stopped' })
    expect(explain([operation('delete', 10), preempted, insert])).toEqual({ ...why, how: 'deleted' })
    expect(explain([operation('stop', 8), preempted, insert])).toEqual({ ...why, how: 'stopped' })
    expect(explain([preempted, operation('start', 10), operation('stop', 11)])).toMatchObject({ interrupted: false })
  })

  it('the last of several ends, and who asked for it', () => {
    expect(explain([operation('delete', 7, { status: 'RUNNING' }), operation('stop', 3), insert])).toEqual({
      is: 'ended',
      interrupted: false,
      how: 'deleting',
      reason: { code: 'delete', message: 'The user alice@example.com requested it.' },
    })
    expect(explain([operation('compute.instances.hostError', 3, { user: 'system' }), insert])).toMatchObject({
      reason: { code: 'compute.instances.hostError', message: 'GCE did this itself.' },
    })
  })
})
