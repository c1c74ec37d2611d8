import { randomBytes } from 'node:crypto'

/** The codes that EC2 documents, with its descriptions, and whether the instance is stopped at the time. */
export const eventCodes = {
  'instance-reboot': { description: 'The instance is scheduled for a reboot', stops: false },
  'system-reboot': { description: 'The instance is scheduled for a reboot of its host', stops: false },
  'system-maintenance': { description: 'The host of the instance is scheduled for maintenance', stops: false },
  'instance-retirement': { description: 'The instance is running on degraded hardware', stops: true },
  'instance-stop': { description: 'The instance is running on degraded hardware', stops: true },
} as const satisfies Record<string, { readonly description: string; readonly stops: boolean }>

export type EventCode = keyof typeof eventCodes

/** As EC2 marks an event that is over, in front of its description. */
export const eventEnds = ['Completed', 'Canceled'] as const

export type EventEnd = (typeof eventEnds)[number]

/** Something that EC2 will do to an instance, or has done. */
export interface ScheduledEvent {
  readonly id: string
  readonly code: EventCode
  readonly description: string
  readonly notBefore: number
  readonly notAfter: number
  readonly ended: { readonly how: EventEnd; readonly at: number } | undefined
}

const takesMs = 2 * 3_600_000
/** EC2 shows an event for so long after its end. */
const shownAfterEndMs = 7 * 24 * 3_600_000

export function scheduledEvent(code: EventCode, notBefore: number): ScheduledEvent {
  return {
    id: `instance-event-0${randomBytes(8).toString('hex')}`,
    code,
    description: eventCodes[code].description,
    notBefore,
    notAfter: notBefore + takesMs,
    ended: undefined,
  }
}

export function endedEvent(event: ScheduledEvent, how: EventEnd, at: number): ScheduledEvent {
  return event.ended ? event : { ...event, description: `[${how}] ${event.description}`, ended: { how, at } }
}

export function isShown({ ended }: ScheduledEvent, now: number): boolean {
  return ended === undefined || now - ended.at < shownAfterEndMs
}
