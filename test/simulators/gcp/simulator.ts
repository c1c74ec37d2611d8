import type { Clock, Log } from '../../../api/ctx.ts'
import type { RecordedRequest } from '../kit/journal.ts'
import { silentLog } from '../kit/log.ts'
import { noNodes, type NodeRegistrar } from '../kit/nodes.ts'
import { startCloud } from '../kit/simulator.ts'
import { Spoils } from '../kit/spoils.ts'
import { bucketControl, bucketVerbs, type BucketTableName } from '../kit/bucket-control.ts'
import type { Lag } from '../kit/lateness.ts'
import { somewhere } from '../kit/somewhere.ts'
import { Buckets, type BucketTable } from './buckets.ts'
import { readCall, type GceCall } from './call.ts'
import { Capacity } from '../kit/capacity.ts'
import { delaysOf } from '../kit/delays.ts'
import type { GceHole } from './capacity.ts'
import { instanceControl, instanceVerbs, type GcpControl } from './control.ts'
import { credentialControl, credentialVerbs } from './credential-control.ts'
import { Credentials, type AcceptedTokens } from './credentials.ts'
import { Disks } from './disks.ts'
import { codeOf, refusal } from './errors.ts'
import { gcpFacts, type GcpFacts } from './facts.ts'
import { admitCall, answerCall, endsList, gceFailures, whenDue } from './gce.ts'
import { Instances } from './instances.ts'
import { Lifecycle, type Delays } from './lifecycle.ts'
import { operationControl, operationVerbs } from './operation-control.ts'
import { OperationFaults } from './operation-faults.ts'
import { Operations } from './operations.ts'
import type { Project } from './project.ts'
import { Quotas } from './quotas.ts'
import { Reservations, type ReservationTerms } from './reservations.ts'
import { Sight } from './sight.ts'
import { gceSightControl, sightVerbs } from './sight-control.ts'
import { supplyControl, supplyVerbs, supplyViews } from './supply-control.ts'
import { standardWorld, type World } from './world.ts'

export interface GcpSimulatorOptions extends Partial<Delays> {
  readonly clock: Clock
  readonly log?: Log
  /** Left out: any free port. */
  readonly port?: number
  /** Who plays the kubelets; left out: there are no Nodes. */
  readonly nodes?: NodeRegistrar
  /** Left out: the standard one, with addresses that no other simulator uses. */
  readonly world?: World
  /** Left out: any token will do. */
  readonly tokens?: AcceptedTokens
  /** How often the project may call: as at GCE, as in a table of one's own, or as it likes. */
  readonly buckets?: BucketTableName | BucketTable
  /** Left out: lists answer from now. */
  readonly lag?: Lag
  readonly reservations?: readonly ReservationTerms[]
  /** How many calls are remembered one by one, all being counted; left out: 10,000. */
  readonly keptRequests?: number
}

export interface GcpSimulator {
  readonly url: string
  readonly facts: GcpFacts
  readonly control: GcpControl
  readonly requests: readonly RecordedRequest[]
  close(): Promise<void>
}

/** GCE of one project, and the endpoint that gives out tokens for it, on one port. */
export async function startGcpSimulator(options: GcpSimulatorOptions): Promise<GcpSimulator> {
  const { clock, log = silentLog } = options
  const delays = delaysOf(options)
  const project = openProject(options, delays)
  const { buckets, lifecycle, spoils, world, credentials, operationFaults } = project
  let url = ''
  const own = {
    ...instanceControl(project, delays),
    ...supplyControl(project),
    ...operationControl(operationFaults),
    ...gceSightControl(project),
    ...bucketControl(buckets),
    ...credentialControl(credentials, () => url),
  }

  const running = await startCloud<GceCall>(
    {
      cloud: 'gcp',
      understand: readCall,
      due: (call, signal) => whenDue(call, project, signal),
      admit: (call) => admitCall(call, project),
      perform: (call) => answerCall(call, project),
      refuse: refusal,
      codeOf,
      endsList,
      failures: gceFailures,
      spoils,
      verbs: [
        ...instanceVerbs(own),
        ...supplyVerbs(own, () => clock.now()),
        ...operationVerbs(own),
        ...sightVerbs(own),
        ...bucketVerbs(own),
        ...credentialVerbs(own),
      ],
      views: {
        instances: () => own.instances(),
        remains: () => own.remains(),
        ...supplyViews(own, project),
        buckets: () => buckets.levels(),
        'service-account-key': () => own.serviceAccountKey(),
      },
      close: () => lifecycle.close(),
    },
    { ...options, log },
  )
  url = running.url
  const control = { ...own, ...running.faults, ...running.records }
  return {
    url,
    facts: gcpFacts(world, url),
    control,
    requests: control.requests(),
    close: () => running.close(),
  }
}

function openProject(options: GcpSimulatorOptions, delays: Delays): Project {
  const { clock, log = silentLog, nodes = noNodes, world = standardWorld(somewhere(128)), lag } = options
  const disks = new Disks()
  const instances = new Instances(world, disks)
  const operations = new Operations(world.project)
  const sight = new Sight(instances, clock)
  if (lag) sight.lag(lag)
  const reservations = new Reservations(instances)
  for (const terms of options.reservations ?? []) reservations.add(terms, clock.now())
  return {
    world,
    instances,
    disks,
    operations,
    operationFaults: new OperationFaults(),
    sight,
    lifecycle: new Lifecycle({ clock, log, nodes, world, delays, instances, operations }),
    capacity: new Capacity<GceHole>(),
    quotas: new Quotas(instances),
    reservations,
    buckets: new Buckets(clock, world.projectNumber, options.buckets ?? 'none'),
    credentials: new Credentials(world, options.tokens ?? 'any'),
    spoils: new Spoils(),
    clock,
  }
}
