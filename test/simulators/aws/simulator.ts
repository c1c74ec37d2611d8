import type { Clock, Log } from '../../../api/ctx.ts'
import type { RecordedRequest } from '../kit/journal.ts'
import { silentLog } from '../kit/log.ts'
import { noNodes, type NodeRegistrar } from '../kit/nodes.ts'
import { startCloud } from '../kit/simulator.ts'
import { Spoils } from '../kit/spoils.ts'
import type { Account } from './account.ts'
import { bucketControl, bucketVerbs, type BucketTableName } from '../kit/bucket-control.ts'
import type { Lag } from '../kit/lateness.ts'
import { sightControl } from '../kit/sight-control.ts'
import { somewhere } from '../kit/somewhere.ts'
import { Buckets, type BucketTable } from './buckets.ts'
import { readCall, type Ec2Call } from './call.ts'
import { Capacity } from '../kit/capacity.ts'
import { delaysOf } from '../kit/delays.ts'
import { instanceControl, instanceVerbs, type AwsControl } from './control.ts'
import { admitCall, answerCall, codeOf, ec2Failures, endsList, refusal } from './ec2.ts'
import { awsFacts, type AwsFacts } from './facts.ts'
import { Instances } from './instances.ts'
import { Lifecycle, type Delays } from './lifecycle.ts'
import { Reservations, type ReservationTerms } from './reservations.ts'
import { Sight } from './sight.ts'
import { sightVerbs } from './sight-control.ts'
import { accessKeyOf, type AccessKeys } from './signature.ts'
import { SpotMarket } from './spot-market.ts'
import { supplyControl, supplyVerbs, supplyViews } from './supply-control.ts'
import { elsewhere, standardWorld, type World } from './world.ts'

export interface AwsSimulatorOptions extends Partial<Delays> {
  readonly clock: Clock
  readonly log?: Log
  /** Left out: any free port. */
  readonly port?: number
  /** Who plays the kubelets; left out: there are no Nodes. */
  readonly nodes?: NodeRegistrar
  /** Left out: the standard one, with addresses that no other simulator uses. */
  readonly world?: World
  /** Left out: any key will do. */
  readonly keys?: AccessKeys
  /** How often an account may call: as at EC2, as in a table of one's own, or, left out, as often as it likes. */
  readonly buckets?: BucketTableName | BucketTable
  /** Left out: lists answer from now. */
  readonly lag?: Lag
  readonly reservations?: readonly ReservationTerms[]
  /** How many calls are remembered one by one, all being counted; left out: 10,000. */
  readonly keptRequests?: number
}

export interface AwsSimulator {
  readonly url: string
  readonly facts: AwsFacts
  readonly control: AwsControl
  readonly requests: readonly RecordedRequest[]
  close(): Promise<void>
}

/** EC2 and STS of one account in one region, on one port; and of other accounts, where keys of them are added. */
export async function startAwsSimulator(options: AwsSimulatorOptions): Promise<AwsSimulator> {
  const { clock, log = silentLog } = options
  const delays = delaysOf(options)
  const account = openAccount(options, delays)
  const { buckets, sight, spoils, world } = account
  let keys = options.keys
  const neighbours = new Map<string, Account>()
  const accountFor = ({ request }: Ec2Call) => neighbours.get(accessKeyOf(request)) ?? account
  const own = {
    ...instanceControl({ account, delays, setKeys: (next) => (keys = next) }),
    addAccount(accessKey: string) {
      const neighbour = openAccount({ ...options, world: elsewhere(world) }, delays)
      neighbours.set(accessKey, neighbour)
      return neighbour.world.accountId
    },
    ...supplyControl(account),
    ...sightControl(sight),
    ...bucketControl(buckets),
  }

  const running = await startCloud<Ec2Call>(
    {
      cloud: 'aws',
      understand: readCall,
      admit: (call) => admitCall(call, accountFor(call), keys),
      perform: (call) => answerCall(call, accountFor(call), keys),
      refuse: refusal,
      codeOf,
      endsList,
      failures: ec2Failures,
      spoils,
      verbs: [...instanceVerbs(own), ...supplyVerbs(own, () => clock.now()), ...sightVerbs(own), ...bucketVerbs(own)],
      views: {
        instances: () => own.instances(),
        remains: () => own.remains(),
        ...supplyViews(own, account),
        buckets: () => buckets.levels(),
      },
      close() {
        for (const one of [account, ...neighbours.values()]) one.lifecycle.close()
      },
    },
    { ...options, log },
  )
  const control = { ...own, ...running.faults, ...running.records }
  return {
    url: running.url,
    facts: awsFacts(world, running.url),
    control,
    requests: control.requests(),
    close: () => running.close(),
  }
}

function openAccount(options: AwsSimulatorOptions, delays: Delays): Account {
  const { clock, log = silentLog, nodes = noNodes, world = standardWorld(somewhere()), lag } = options
  const instances = new Instances(world)
  const lifecycle = new Lifecycle({
    clock,
    log,
    nodes,
    region: world.region,
    delays,
    changed: (instance) => instances.note(instance, clock.now()),
    released: (instance) => instances.release(instance),
  })
  const sight = new Sight(instances, clock)
  if (lag) sight.lag(lag)
  const reservations = new Reservations(instances)
  for (const terms of options.reservations ?? []) reservations.add(terms, clock.now())
  return {
    world,
    instances,
    sight,
    lifecycle,
    capacity: new Capacity(),
    market: new SpotMarket(world, clock.now()),
    reservations,
    buckets: new Buckets(clock, options.buckets ?? 'none'),
    spoils: new Spoils(),
    clock,
  }
}
