import type { LabCloud } from '../../lab/clouds/cloud.ts'
import type { Lab } from '../../lab/lab.ts'
import { standardWorld } from '../../simulators/aws/world.ts'

export const noticeSources = ['spot-requests', 'queue'] as const
/** Where the manager hears of notices first. It asks for spot requests in any case. */
export type NoticeSource = (typeof noticeSources)[number]

const queue = 'interruptions'

/** The arguments of the manager for this source, which is there from now on. */
export function sourceArgs({ aws }: Lab, source: NoticeSource): string[] {
  if (source === 'spot-requests') return []
  aws.control.addQueue(queue)
  return ['--aws-interruption-queues', `${aws.url}/${standardWorld().accountId}/${queue}`]
}

/** When the manager could hear of a notice that was given at a time: with its next question, or at once. */
export function sightsOf({ control }: LabCloud, source: NoticeSource): (noticeAt: number) => number {
  if (source === 'queue') return (noticeAt) => noticeAt
  const asked = control.requests().filter(({ action }) => action === 'DescribeSpotInstanceRequests')
  return (noticeAt) => asked.find(({ at }) => at >= noticeAt)?.at ?? NaN
}
