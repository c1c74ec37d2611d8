import { assemble, type CommonControl, type Simulator } from '../kit/assemble.ts'
import { Capacity } from '../kit/supply/capacity.ts'
import { settingsOf, type Settings, type SimulatorOptions } from '../kit/options.ts'
import { somewhere } from '../kit/somewhere.ts'
import { Spoils } from '../kit/faults/spoils.ts'
import { verbsOf } from '../kit/control/verb.ts'
import type { Account } from './account.ts'
import { Buckets, type BucketTable } from './http/buckets.ts'
import { readQueryCall, type Ec2Call } from './http/call.ts'
import { instanceControl, instanceVerbs, type InstanceControl } from './control/instance-control.ts'
import { admitCall, answerCall, codeOf, ec2Failures, endsList, refusal } from './http/ec2.ts'
import { awsFacts, type AwsFacts } from './facts.ts'
import { Instances } from './instances/instances.ts'
import { Lifecycle } from './instances/lifecycle.ts'
import { queueControl, queueVerbs, type QueueControl } from './control/queue-control.ts'
import { Queues } from './queue/queues.ts'
import { isSqs, readSqsCall, sqsDue } from './queue/sqs.ts'
import { holdings } from './supply/holdings.ts'
import { Quotas } from './supply/quotas.ts'
import { Reservations, type ReservationTerms } from './supply/reservations.ts'
import { Ec2Sight } from './instances/sight.ts'
import { accessKeyOf, type AccessKeys } from './http/signature.ts'
import { SpotMarket } from './supply/spot-market.ts'
import { supplyControl, supplyVerbs, supplyViews, type SupplyControl } from './control/supply-control.ts'
import { elsewhere, standardWorld, type World } from './world.ts'

export interface AwsSimulatorOptions extends SimulatorOptions<World, BucketTable> {
  /** Left out: any key will do. */
  readonly keys?: AccessKeys
  readonly reservations?: readonly ReservationTerms[]
}

/** What happens to access keys. */
interface AccountControl {
  /** From now on this key is one of another account, in which there is nothing yet; answers with that account's id. */
  addAccount(accessKey: string): string
}

export type AwsControl = InstanceControl &
  QueueControl &
  AccountControl &
  SupplyControl &
  CommonControl<BucketTable, 'tags' | 'writes'>
export type AwsSimulator = Simulator<AwsFacts, AwsControl>

/** EC2 and STS of one account in one region, on one port; and of other accounts, where keys of them are added. */
export async function startAwsSimulator(options: AwsSimulatorOptions): Promise<AwsSimulator> {
  const settings = settingsOf(options, () => standardWorld(somewhere()))
  const { clock, delays, world } = settings
  const { reservations } = options
  const account = openAccount(settings, reservations)
  let keys = options.keys
  const neighbours = new Map<string, Account>()
  const accountFor = ({ request }: Ec2Call) => neighbours.get(accessKeyOf(request)) ?? account
  const own = {
    ...instanceControl({ account, delays, setKeys: (next) => (keys = next) }),
    addAccount(accessKey: string) {
      const neighbour = openAccount({ ...settings, world: elsewhere(world) }, reservations)
      neighbours.set(accessKey, neighbour)
      return neighbour.world.accountId
    },
    ...supplyControl(account),
    ...queueControl(account),
  }
  const addAccount = 'this access key is one of another account from now on, in which there is nothing yet'
  return assemble(
    {
      cloud: 'aws',
      understand: (request) => readSqsCall(request) ?? readQueryCall(request),
      due: (call, signal, left) => (isSqs(call) ? sqsDue(call, accountFor(call).queues, signal, left) : undefined),
      admit: (call) => admitCall(call, accountFor(call), keys),
      perform: (call) => answerCall(call, accountFor(call), keys),
      refuse: refusal,
      codeOf,
      endsList,
      failures: ec2Failures,
      account,
      neighbours: () => neighbours.values(),
      own,
      verbs: [
        ...instanceVerbs(own),
        verbsOf(own)('addAccount', addAccount, ['key', 'text']),
        ...supplyVerbs(own, () => clock.now()),
        ...queueVerbs(own),
      ],
      views: { ...supplyViews(own, account), queues: () => own.queues() },
      lateWith: ['tags', 'writes'],
      facts: (url) => awsFacts(world, url),
    },
    options,
  )
}

function openAccount(settings: Settings<World, BucketTable>, terms: readonly ReservationTerms[] = []): Account {
  const { clock, world, table, lag } = settings
  const instances = new Instances(world, clock)
  const queues = new Queues(world, clock)
  const lifecycle = new Lifecycle({
    ...settings,
    region: world.region,
    changed(instance) {
      instances.note(instance)
      queues.changed(instance)
    },
    released: (instance) => instances.release(instance),
  })
  const reservations = new Reservations(instances)
  for (const one of terms) reservations.add(one, clock.now())
  return {
    world,
    instances,
    sight: new Ec2Sight(instances, clock, lag),
    lifecycle,
    capacity: new Capacity(() => holdings(instances)),
    quotas: new Quotas(instances),
    market: new SpotMarket(world, clock.now()),
    reservations,
    queues,
    buckets: new Buckets(clock, table),
    spoils: new Spoils(),
    clock,
  }
}
