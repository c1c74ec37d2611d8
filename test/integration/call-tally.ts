import type { LabCloud } from '../lab/clouds/cloud.ts'
import type { RecordedRequest } from '../simulators/kit/journal.ts'
import { lastCall } from './changes.ts'

/** What a while has cost in calls. The poller's are apart: how many they are is a matter of time. */
export interface Tally {
  readonly polls: Costs
  readonly others: Costs
  readonly seconds: number
}

interface Costs {
  readonly calls: number
  /** How many of them have to be made again: refused because of the cloud, or without an answer that came back. */
  readonly owed: number
}

/** Counts calls from now on, in the cloud's own record. Call what this returns to end the count. */
export function countCalls(cloud: LabCloud): () => Tally {
  const since = lastCall(cloud)
  const began = performance.now()
  return () => {
    const all = cloud.control.requests().filter(({ number }) => number > since)
    const { polls = [], others = [] } = Object.groupBy(all, (one) => (isPoll(one, cloud) ? 'polls' : 'others'))
    return { polls: costsOf(polls), others: costsOf(others), seconds: (performance.now() - began) / 1000 }
  }
}

/** Calls that Azure's and GCE's pollers make with each list of instances, and nobody else makes in the meantime. */
const besides = /_ListAll$|^Disks_List$|^globalOperations\.aggregatedList$/

function isPoll(request: RecordedRequest, { isList }: LabCloud): boolean {
  return isList(request) || besides.test(request.action)
}

function costsOf(requests: readonly RecordedRequest[]): Costs {
  return { calls: requests.length, owed: requests.filter(isOwed).length }
}

function isOwed({ answer, lost }: RecordedRequest): boolean {
  return lost || answer === undefined || answer.status >= 500 || answer.status === 429
}
