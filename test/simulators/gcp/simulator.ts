import { assemble, type CommonControl, type Simulator } from '../kit/assemble.ts'
import { Capacity } from '../kit/supply/capacity.ts'
import { settingsOf, type Settings, type SimulatorOptions } from '../kit/options.ts'
import { somewhere } from '../kit/somewhere.ts'
import { Spoils } from '../kit/faults/spoils.ts'
import { Buckets, type BucketTable } from './http/buckets.ts'
import { readCall } from './http/call.ts'
import { holdings, type GceHole } from './supply/capacity.ts'
import { instanceControl, instanceVerbs, type InstanceControl } from './control/instance-control.ts'
import { credentialControl, credentialVerbs, type CredentialControl } from './control/credential-control.ts'
import { Credentials, type AcceptedTokens } from './http/credentials.ts'
import { Disks } from './instances/disks.ts'
import { codeOf, refusal } from './http/errors.ts'
import { gcpFacts, type GcpFacts } from './facts.ts'
import { admitCall, answerCall, endsList, gceFailures, whenDue } from './http/gce.ts'
import { Instances } from './instances/instances.ts'
import { Lifecycle } from './instances/lifecycle.ts'
import { operationControl, operationVerbs, type OperationControl } from './control/operation-control.ts'
import { OperationFaults } from './supply/operation-faults.ts'
import { Operations } from './http/operations.ts'
import type { Project } from './project.ts'
import { Quotas } from './supply/quotas.ts'
import { Reservations, type ReservationTerms } from './supply/reservations.ts'
import { GceSight } from './instances/sight.ts'
import { supplyControl, supplyVerbs, supplyViews, type SupplyControl } from './control/supply-control.ts'
import { standardWorld, type World } from './world.ts'
import { zoneControl, zoneVerbs, type ZoneControl } from './control/zone-control.ts'

export interface GcpSimulatorOptions extends SimulatorOptions<World, BucketTable> {
  /** Left out: any token will do. */
  readonly tokens?: AcceptedTokens
  readonly reservations?: readonly ReservationTerms[]
}

export type GcpControl = InstanceControl &
  SupplyControl &
  OperationControl &
  ZoneControl &
  CredentialControl &
  CommonControl<BucketTable, 'writes'>
export type GcpSimulator = Simulator<GcpFacts, GcpControl>

/** GCE of one project, and the endpoint that gives out tokens for it, on one port. */
export async function startGcpSimulator(options: GcpSimulatorOptions): Promise<GcpSimulator> {
  const settings = settingsOf(options, () => standardWorld(somewhere(128)))
  const { clock, delays } = settings
  const project = openProject(settings, options)
  let url = ''
  const own = {
    ...instanceControl(project, delays),
    ...supplyControl(project),
    ...operationControl(project.operationFaults),
    ...zoneControl(project),
    ...credentialControl(project.credentials, () => url),
  }
  const simulator = await assemble(
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
      account: project,
      own,
      verbs: [
        ...instanceVerbs(own),
        ...supplyVerbs(own, () => clock.now()),
        ...operationVerbs(own),
        ...zoneVerbs(own),
        ...credentialVerbs(own),
      ],
      views: { ...supplyViews(own, project), 'service-account-key': () => own.serviceAccountKey() },
      lateWith: ['writes'],
      facts: (url) => gcpFacts(project.world, url),
    },
    options,
  )
  url = simulator.url
  return simulator
}

function openProject(
  settings: Settings<World, BucketTable>,
  { tokens = 'any', reservations: terms = [] }: GcpSimulatorOptions,
): Project {
  const { clock, world, table, lag } = settings
  const disks = new Disks()
  const instances = new Instances(world, disks, clock)
  const operations = new Operations(world.project)
  const reservations = new Reservations(instances)
  for (const one of terms) reservations.add(one, clock.now())
  return {
    world,
    instances,
    disks,
    operations,
    operationFaults: new OperationFaults(),
    sight: new GceSight(instances, clock, lag),
    lifecycle: new Lifecycle({ ...settings, instances, operations }),
    capacity: new Capacity<GceHole>(() => holdings(instances)),
    quotas: new Quotas(instances),
    reservations,
    buckets: new Buckets(clock, world.projectNumber, table),
    credentials: new Credentials(world, tokens),
    spoils: new Spoils(),
    clock,
  }
}
