import {
  clusters,
  externalControlPlanes,
  interruptionPolicies,
  machineHealthChecks,
  machines,
} from '../../api/kinds.ts'
import { machineReasons, remediationReasons } from '../../api/reasons.ts'
import { noticeKinds, noticeSources } from '../../api/notice.ts'
import { noticeResults } from '../../api/rules/interruption/announced.ts'
import { everyMilestone, milestones } from '../../api/rules/interruption/milestones.ts'
import { clouds } from '../../providers/registry.ts'
import { refusalKinds } from '../../api/refusal.ts'

/** One label of a series. */
export interface Label {
  readonly meaning: string
  /** These values exist from the start, at zero. Others may come, up to a limit. */
  readonly known: readonly string[]
}

interface Series {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** One or two sentences. The metrics page is generated from this table. */
  readonly help: string
  readonly labels: Readonly<Record<string, Label>>
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[]
}

const machineKinds = Object.values(clouds).map(({ machines }) => machines.kind)
const clusterKinds = Object.values(clouds).map((kinds) => kinds.clusters.kind)

const templateKinds = machineKinds.map((machine) => `${machine}Template`)

const kind: Label = { meaning: 'The kind of machine.', known: machineKinds }
const cloud: Label = { meaning: 'The cloud.', known: Object.keys(clouds) }
const controller: Label = {
  meaning: 'The kind that the controller reconciles.',
  known: [...clusterKinds, ...machineKinds, ...templateKinds, externalControlPlanes.kind],
}
const cachedKind: Label = {
  meaning: 'The kind of object.',
  known: [
    ...clusterKinds,
    ...machineKinds,
    ...templateKinds,
    ...[externalControlPlanes, interruptionPolicies, machineHealthChecks, clusters, machines].map((one) => one.kind),
  ],
}
const identity: Label = { meaning: 'The credentials; "default" stands for the credentials of the manager.', known: [] }
const account: Label = {
  meaning: 'The account, subscription or project; empty while it is not known.',
  known: [],
}
const region: Label = { meaning: 'The region of the cloud.', known: [] }
const action: Label = { meaning: 'The name of the call in the API of the cloud.', known: [] }

const quick = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const waits = [0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 300]

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** Each value with its meaning. */
function meanings(table: Readonly<Record<string, string>>): string {
  return Object.entries(table)
    .map(([value, meaning]) => `"${value}": ${meaning}.`)
    .join(' ')
}

/** All series that the manager exports. Code that counts names a row of this table. */
export const series = {
  machines: {
    name: 'capspot_machines',
    type: 'gauge',
    help: 'Machines by the reason of their condition Ready.',
    labels: {
      kind,
      reason: { meaning: 'A reason of Ready, or None.', known: [...Object.keys(machineReasons), 'None'] },
    },
  },
  remediations: {
    name: 'capspot_remediations',
    type: 'gauge',
    help: 'Machines by the reason of their condition SpotRemediationDue.',
    labels: { reason: { meaning: 'A reason of SpotRemediationDue.', known: Object.keys(remediationReasons) } },
  },
  instances: {
    name: 'capspot_instances',
    type: 'gauge',
    help: 'Instances of this manager in the last complete list of the cloud.',
    labels: {
      cloud,
      identity,
      account,
      region,
      state: { meaning: 'pending, running, stopping, stopped, terminating or terminated.', known: [] },
    },
  },
  fleetListAge: {
    name: 'capspot_fleet_list_age_seconds',
    type: 'gauge',
    help: 'Time since the last complete list of the instances, or since the first request for one. It grows while the cloud does not answer or refuses the credentials.',
    labels: { cloud, identity, account, region },
  },
  launches: {
    name: 'capspot_launches_total',
    type: 'counter',
    help: 'Launch requests by their result. A repeated request after a lost answer counts again.',
    labels: {
      cloud,
      result: { meaning: 'created, or the kind of the error.', known: ['created', ...refusalKinds] },
    },
  },
  notices: {
    name: 'capspot_notices_total',
    type: 'counter',
    help: 'Notices, by what came of them. A source that shows a notice again and again counts it each time.',
    labels: {
      cloud,
      source: { meaning: `${listed(noticeSources)}.`, known: [] },
      kind: { meaning: `${listed([...noticeKinds, 'None'])}.`, known: [] },
      result: { meaning: meanings(noticeResults), known: [] },
    },
  },
  interruptions: {
    name: 'capspot_interruptions_total',
    type: 'counter',
    help: 'Instances that the cloud reclaimed. Each counts once: when its end is announced, or when it is gone without that.',
    labels: {
      cluster: { meaning: 'The namespace and name of the Cluster.', known: [] },
      capacity_type: { meaning: 'Spot, OnDemand or Reserved.', known: [] },
      instance_type: { meaning: 'The instance type.', known: [] },
      zone: { meaning: 'The zone; empty if the request named none.', known: [] },
      announced: { meaning: 'true or false.', known: [] },
    },
  },
  noticeSeconds: {
    name: 'capspot_notice_seconds',
    type: 'histogram',
    help: 'Time from a notice until its decision is recorded, and from there until each later step. Decisions have whole seconds.',
    labels: { until: { meaning: meanings(milestones), known: everyMilestone } },
    buckets: [0.5, 1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600],
  },
  noticeQueueAge: {
    name: 'capspot_notice_queue_age_seconds',
    type: 'histogram',
    help: 'Age of a message from a queue of notices when the manager receives it. A message that is not decided comes again, and is older then.',
    labels: { cloud, region: { meaning: 'The region of the queue; empty if its URL names none.', known: [] } },
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
  },
  cloudCalls: {
    name: 'capspot_cloud_calls_total',
    type: 'counter',
    help: 'Requests to the cloud, including refused ones.',
    labels: { cloud, action, code: { meaning: 'OK, or the error code of the cloud.', known: [] } },
  },
  cloudCallSeconds: {
    name: 'capspot_cloud_call_duration_seconds',
    type: 'histogram',
    help: 'Time until the cloud answered. It does not include the wait for the rate limit.',
    labels: { cloud, action },
    buckets: quick,
  },
  throttleWaitSeconds: {
    name: 'capspot_cloud_throttle_wait_seconds',
    type: 'histogram',
    help: 'Time that calls waited for the rate limits of the cloud.',
    labels: { cloud, action },
    buckets: waits,
  },
  reconciles: {
    name: 'capspot_reconciles_total',
    type: 'counter',
    help: 'Reconciles of the controllers.',
    labels: {
      controller,
      result: {
        meaning: 'done, again (requeued), conflict (the object changed meanwhile) or failed.',
        known: ['done', 'again', 'conflict', 'failed'],
      },
    },
  },
  reconcileSeconds: {
    name: 'capspot_reconcile_duration_seconds',
    type: 'histogram',
    help: 'Duration of a reconcile.',
    labels: { controller },
    buckets: quick,
  },
  queueDepth: {
    name: 'capspot_queue_depth',
    type: 'gauge',
    help: 'Objects in the queue of a controller.',
    labels: {
      controller,
      state: {
        meaning: 'ready (waiting for a worker), delayed (waiting for its time) or taken (being reconciled).',
        known: ['ready', 'delayed', 'taken'],
      },
    },
  },
  apiserverRequests: {
    name: 'capspot_apiserver_requests_total',
    type: 'counter',
    help: 'Requests to the API server of the management cluster.',
    labels: {
      verb: {
        meaning: 'get, list, watch, create, patch, apply, delete or raw.',
        known: ['get', 'list', 'watch', 'create', 'patch', 'apply', 'delete', 'raw'],
      },
      code: { meaning: '2xx, the HTTP status of a refusal, or why there was no answer.', known: ['2xx'] },
    },
  },
  relists: {
    name: 'capspot_watch_relists_total',
    type: 'counter',
    help: 'Complete lists that a cache read because it could not continue its watch.',
    labels: {
      kind: cachedKind,
      reason: {
        meaning: 'start, expired (the resourceVersion was too old) or away (the API server did not answer).',
        known: ['start', 'expired', 'away'],
      },
    },
  },
  leader: {
    name: 'capspot_leader',
    type: 'gauge',
    help: '1 while this process acts, because it holds the Lease or needs none.',
    labels: {},
  },
  writesAllowed: {
    name: 'capspot_cloud_writes_allowed',
    type: 'gauge',
    help: '1 while the manager may create and terminate instances. 0 without the Lease, the API server or a current cache.',
    labels: { cloud },
  },
  cachesFollowed: {
    name: 'capspot_cache_followed',
    type: 'gauge',
    help: '1 while the cache of the kind is complete and current. While it is 0, controllers that need the kind stop.',
    labels: { kind: cachedKind },
  },
  eventLoopLagMedian: {
    name: 'capspot_event_loop_lag_median_seconds',
    type: 'gauge',
    help: 'Median lag of the event loop in the last 30 seconds.',
    labels: {},
  },
  eventLoopLagMost: {
    name: 'capspot_event_loop_lag_p99_seconds',
    type: 'gauge',
    help: '99th percentile of the lag of the event loop in the last 30 seconds.',
    labels: {},
  },
  residentMemory: {
    name: 'capspot_process_resident_memory_bytes',
    type: 'gauge',
    help: 'Resident memory of the process.',
    labels: {},
  },
  heapUsed: {
    name: 'capspot_process_heap_used_bytes',
    type: 'gauge',
    help: 'Memory of JavaScript objects.',
    labels: {},
  },
} as const satisfies Readonly<Record<string, Series>>

type Table = typeof series

/** The rows of one type. */
export type SeriesOf<Type extends Series['type']> = {
  [Row in keyof Table]: Table[Row]['type'] extends Type ? Row : never
}[keyof Table]

/** A value for every label of a row. */
export type LabelsOf<Row extends keyof Table> = Readonly<Record<keyof Table[Row]['labels'] & string, string>>
