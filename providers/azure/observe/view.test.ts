import { describe, expect, it } from 'vitest'
import type { VirtualMachine } from '../wire/documents.ts'
import { viewOf } from './view.ts'

const seen = (provisioningState: string | undefined, ...codes: string[]): VirtualMachine => ({
  id: '',
  name: '',
  properties: {
    ...(provisioningState === undefined ? {} : { provisioningState }),
    instanceView: { statuses: codes.map((code) => ({ code, displayStatus: `shown ${code}`, message: `of ${code}` })) },
  },
})

describe('provisioning', () => {
  it.each([
    ['Creating', 'creating'],
    ['Succeeded', 'done'],
    ['Updating', 'done'],
    ['Migrating', 'done'],
    ['Deleting', 'deleting'],
    ['Failed', 'failed'],
    ['Canceled', 'failed'],
    ['SomethingNew', 'done'],
    [undefined, 'creating'],
  ])('%s is %s', (word, provisioning) => {
    expect(viewOf(seen(word)).provisioning).toBe(provisioning)
  })

  it('stands in the statuses too, in any case of its letters', () => {
    expect(viewOf(seen(undefined, 'provisioningstate/Succeeded')).provisioning).toBe('done')
  })

  it('of nothing at all is not known', () => {
    expect(viewOf({ id: '', name: '' })).toEqual({ provisioning: 'creating', power: undefined, failure: undefined })
  })
})

describe('power', () => {
  it.each(['running', 'Running', 'DEALLOCATED', 'stopping'])('%s is read in any case', (word) => {
    const power = viewOf(seen('Succeeded', 'ProvisioningState/succeeded', `PowerState/${word}`)).power
    expect(power).toEqual({ is: word.toLowerCase(), display: `shown PowerState/${word}` })
  })

  it.each(['unknown', 'hibernating', 'constructor'])('%s says nothing', (word) => {
    expect(viewOf(seen('Succeeded', `PowerState/${word}`)).power).toBeUndefined()
  })
})

describe('failure', () => {
  it('has the code and the sentence of the status', () => {
    expect(viewOf(seen('Failed', 'ProvisioningState/failed/AllocationFailed')).failure).toMatchObject({
      kind: 'capacity',
      code: 'AllocationFailed',
      message: 'of ProvisioningState/failed/AllocationFailed',
    })
  })

  it('without a code is one all the same', () => {
    expect(viewOf(seen('Failed', 'ProvisioningState/failed')).failure?.code).toBe('ProvisioningFailed')
    expect(viewOf(seen('Failed')).failure?.code).toBe('ProvisioningFailed')
  })

  it('is none of a machine that runs: its guest was only late to report', () => {
    const late = seen('Failed', 'ProvisioningState/failed/OSProvisioningTimedOut', 'PowerState/running')
    expect(viewOf(late).failure).toBeUndefined()
  })

  it('is none of what has not failed', () => {
    expect(viewOf(seen('Succeeded', 'PowerState/deallocated')).failure).toBeUndefined()
  })
})
