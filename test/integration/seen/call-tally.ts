import type { LabCloud } from '../../lab/clouds/cloud.ts'
import type { RecordedRequest } from '../../simulators/kit/http/journal.ts'
import { lastCall } from './changes.ts'

/** The calls of a period. Those of the poller are separate, because their number depends on time. */
export interface Tally {
  readonly polls: Costs
  readonly others: Costs
  readonly seconds: number
}

interface Costs {
  readonly calls: number
  /** The number of them that have to be repeated: refused by a fault of the cloud, or with a lost answer. */
  readonly owed: number
}

/** Counts calls from now on, in the cloud's record. The returned function ends the count. */
export function countCalls(cloud: LabCloud): () => Tally {
  const since = lastCall(cloud)
  const began = performance.now()
  return () => {
    const all = cloud.control.requests().filter(({ number }) => number > since)
    const { polls = [], others = [] } = Object.groupBy(all, (one) => (isPoll(one, cloud) ? 'polls' : 'others'))
    return { polls: costsOf(polls), others: costsOf(others), seconds: (performance.now() - began) / 1000 }
  }
}

/** Calls that the pollers of EC2, Azure and GCE make beside each list of instances, and that nothing else makes. */
const besides = /^DescribeSpotInstanceRequests$|_ListAll$|^Disks_List$|^globalOperations\.aggregatedList$/

function isPoll(request: RecordedRequest, { isList }: LabCloud): boolean {
  return isList(request) || besides.test(request.action)
}

function costsOf(requests: readonly RecordedRequest[]): Costs {
  return { calls: requests.length, owed: requests.filter(isOwed).length }
}

function isOwed({ answer, lost }: RecordedRequest): boolean {
  return lost || answer === undefined || answer.status >= 500 || answer.status === 429
}
