import type { LabCloud } from '../../lab/clouds/cloud.ts'
import type { LabCloudName } from '../../lab/clouds/start.ts'
import type { Lab } from '../../lab/lab.ts'
import { standardWorld } from '../../simulators/aws/world.ts'

/** Where the manager hears of notices first. It asks EC2 for spot requests in any case. */
export const noticeSources = ['queue', 'spot-requests', 'agent'] as const
export type NoticeSource = (typeof noticeSources)[number]

/** The clouds whose notices come by this source. */
export const cloudsOf: Readonly<Record<NoticeSource, readonly LabCloudName[]>> = {
  queue: ['aws'],
  'spot-requests': ['aws'],
  agent: ['aws', 'azure', 'gcp'],
}

const queue = 'interruptions'

/** The arguments of the manager for this source, which is there from now on. */
export function sourceArgs({ aws }: Lab, source: NoticeSource): string[] {
  if (source !== 'queue') return []
  aws.control.addQueue(queue)
  return ['--aws-interruption-queues', `${aws.url}/${standardWorld().accountId}/${queue}`]
}

/** When the manager could hear of a notice that was given at a time: with its next question, or at once. */
export function sightsOf({ control }: LabCloud, source: NoticeSource): (noticeAt: number) => number {
  if (source !== 'spot-requests') return (noticeAt) => noticeAt
  const asked = control.requests().filter(({ action }) => action === 'DescribeSpotInstanceRequests')
  return (noticeAt) => asked.find(({ at }) => at >= noticeAt)?.at ?? NaN
}
