import { describe, expect, it } from 'vitest'
import { CloudError } from '../../../api/cloud-error.ts'
import { candidatesFrom } from './candidates.ts'

const full = { code: 'Full', where: ' in the cluster' }
const choice = { again: ({ subnet }: { subnet: string }) => subnet, nameOf: (name: string) => name, full }
const refusing = (kind: 'invalid' | 'throttled') => () =>
  Promise.reject(new CloudError(kind, { code: 'Refused', message: 'No.' }))

describe('an attempt that has not asked yet', () => {
  it('may ask wherever nothing was full, the best first', async () => {
    const allowed = () => ['a', 'b', 'c']
    expect(await candidatesFrom({ at: undefined, exclude: ['b'] }, { ...choice, allowed })).toEqual(['a', 'c'])
    const inOrder = (left: readonly string[]) => left.toReversed()
    expect(await candidatesFrom({ at: undefined, exclude: [] }, { ...choice, allowed, inOrder })).toEqual([
      'c',
      'b',
      'a',
    ])
  })

  it('is refused when every subnet was full, or none is allowed', async () => {
    const asked = { at: undefined, exclude: ['a', 'b'] }
    await expect(candidatesFrom(asked, { ...choice, allowed: () => ['a', 'b'] })).rejects.toMatchObject({
      kind: 'subnet',
      code: 'Full',
      message: 'None of the 2 matching subnets in the cluster has a free address.',
    })
    await expect(candidatesFrom(asked, { ...choice, allowed: refusing('invalid') })).rejects.toMatchObject({
      kind: 'invalid',
    })
  })
})

describe('an attempt that has asked', () => {
  const at = { subnet: 'b', zone: '1' }

  it('asks in the same subnet first, then in others that are not full', async () => {
    expect(await candidatesFrom({ at, exclude: ['c'] }, { ...choice, allowed: () => ['a', 'b', 'c'] })).toEqual([
      'b',
      'a',
    ])
  })

  it('asks there even when the specs allow no subnet any more, or all others are full', async () => {
    expect(await candidatesFrom({ at, exclude: ['a'] }, { ...choice, allowed: () => ['a'] })).toEqual(['b'])
    expect(await candidatesFrom({ at, exclude: [] }, { ...choice, allowed: refusing('invalid') })).toEqual(['b'])
  })

  it('is told when the cloud cannot say which others there are', async () => {
    await expect(
      candidatesFrom({ at, exclude: [] }, { ...choice, allowed: refusing('throttled') }),
    ).rejects.toMatchObject({ kind: 'throttled' })
  })
})
