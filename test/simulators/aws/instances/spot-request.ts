import type { SpotRequest, SpotStatus, StateReason } from './instance.ts'

const noCapacity = 'because there is no Spot capacity available that matches your request.'

/** As a request is while its instance runs and nothing is announced. */
export const fulfilled: SpotStatus = { code: 'fulfilled', message: 'Your spot request is fulfilled.' }

interface NoticeTerms {
  readonly state: SpotRequest['state']
  readonly message: string
  /** The instance ends after the notice. */
  readonly ends: boolean
}

/**
 * The status codes that EC2 documents for a request whose instance still runs, for a one-time request that terminates.
 * EC2's own interruption shows the first of them: the code of the end, two minutes before the end.
 */
export const spotNotices = {
  'instance-terminated-no-capacity': {
    state: 'closed',
    message: `Your Spot instance was terminated ${noCapacity}`,
    ends: true,
  },
  'marked-for-termination': {
    state: 'active',
    message: `Your Spot instance is marked for termination ${noCapacity}`,
    ends: true,
  },
  'request-canceled-and-instance-running': {
    state: 'cancelled',
    message: 'Your Spot request was canceled, but your instance is still running.',
    ends: false,
  },
} as const satisfies Record<string, NoticeTerms>

export type SpotNotice = keyof typeof spotNotices

export const usualNotice: SpotNotice = 'instance-terminated-no-capacity'

/** The status of a request whose instance ends for this reason. */
export function endOfRequest({ code }: StateReason): SpotStatus {
  if (code.startsWith('Server.Spot')) return { code: usualNotice, message: spotNotices[usualNotice].message }
  return {
    code: 'instance-terminated-by-user',
    message: 'Spot Instance terminated due to user-initiated termination.',
  }
}
