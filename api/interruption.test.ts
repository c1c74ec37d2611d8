import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decided } from '../test/support/decided.ts'
import { readInterruption, writeInterruption } from './interruption.ts'
import { annotations } from './labels.ts'

const machineWith = (noted: Record<string, string>) => ({
  metadata: { namespace: 'default', name: 'm1', annotations: noted },
})
const read = (text: string) => readInterruption(machineWith({ [annotations.interruption]: text }))

describe('a decision', () => {
  it('is read as it was written', () => {
    expect(readInterruption(machineWith(writeInterruption(decided)))).toEqual({ is: 'ours', interruption: decided })
  })

  it('is nothing without the annotation', () => {
    expect(readInterruption(machineWith({}))).toEqual({ is: 'none' })
  })

  it('of another Machine is foreign: a copied annotation deletes nothing', () => {
    const why = `Annotation ${annotations.interruption} was made for default/m2.`
    expect(read(JSON.stringify({ ...decided, for: 'default/m2' }))).toEqual({ is: 'foreign', why })
  })

  const broken: Record<string, object> = {
    'without an instance': { instance: undefined },
    'of an unknown kind': { kind: 'Spott' },
    'with an unknown act': { act: 'delete' },
    'with a time that no clock can read': { at: 'soon' },
    'with a deadline that is a number': { deadline: 5 },
    'with a MachineSet that is an object': { machineSet: {} },
    'with an instance that has no end': { instance: 'i'.repeat(513) },
  }
  it.each(Object.entries(broken))('%s is foreign', (_, change) => {
    expect(read(JSON.stringify({ ...decided, ...change })).is).toBe('foreign')
  })

  it('of more than 2048 characters is foreign, and is not parsed', () => {
    const why = `Annotation ${annotations.interruption} has more than 2048 characters.`
    expect(read(JSON.stringify({ ...decided, more: 'x'.repeat(2_048) }))).toEqual({ is: 'foreign', why })
  })

  it('whatever stands there, it is none, ours or foreign, and never an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(read(text).is).toBe('foreign')
      }),
    )
  })
})
