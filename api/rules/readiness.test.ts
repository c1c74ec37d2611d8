import { describe, expect, it } from 'vitest'
import { refusedVerdict } from './readiness.ts'

describe('a machine that was refused for good', () => {
  it('by the cloud: its words, that there is no further request, and what replaces it', () => {
    const verdict = refusedVerdict({ kind: 'capacity', code: 'InsufficientInstanceCapacity', message: 'No m5 here' })
    expect(verdict).toEqual({
      status: 'False',
      reason: 'InsufficientCapacity',
      message:
        'The launch of this machine failed: InsufficientInstanceCapacity: No m5 here. The manager does not try again. ' +
        'Cluster API replaces a Machine of a MachineDeployment after a pause. Replace any other yourself. ' +
        'You can also change the instance type or the zone in a new template.',
    })
  })

  it('by ourselves: the same words are true', () => {
    const { message } = refusedVerdict({ kind: 'invalid', code: 'UserDataTooLarge', message: 'It has 20 KiB.' })
    expect(message).toBe(
      'The launch of this machine failed: UserDataTooLarge: It has 20 KiB. The manager does not try again. ' +
        'Correct what the message names, then replace the Machine.',
    )
  })

  it.each(['capacity', 'price', 'quota', 'subnet', 'reservation'] as const)(
    'for %s says that a Machine of a MachineDeployment is replaced by itself',
    (kind) => {
      const { message } = refusedVerdict({ kind, code: 'C', message: 'No.' })
      expect(message).toContain('Cluster API replaces a Machine of a MachineDeployment after a pause.')
    },
  )

  it('for its price names a new template, because none can change', () => {
    const { message } = refusedVerdict({ kind: 'price', code: 'SpotMaxPriceTooLow', message: 'No.' })
    expect(message).toContain('Raise the maximum price in a new template, or leave it out there.')
  })

  it.each(['capacity', 'quota', 'ended'] as const)(
    'for %s advises no way round the pauses of the remediation controller',
    (kind) => {
      expect(refusedVerdict({ kind, code: 'C', message: 'No.' }).message).not.toContain('Delete the Machine')
    },
  )
})
