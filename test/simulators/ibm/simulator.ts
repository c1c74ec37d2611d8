import type { Clock, Log } from '../../../api/ctx.ts'
import type { RecordedRequest } from '../kit/journal.ts'
import { silentLog } from '../kit/log.ts'
import { noNodes, type NodeRegistrar } from '../kit/nodes.ts'
import { startCloud } from '../kit/simulator.ts'
import { Spoils } from '../kit/spoils.ts'
import type { Account, Switches } from './account.ts'
import { usualBehaviour, type Behaviour } from './behaviour.ts'
import { behaviourControl, behaviourVerbs } from './behaviour-control.ts'
import { bucketControl, bucketVerbs, type BucketTableName } from '../kit/bucket-control.ts'
import { delaysOf } from '../kit/delays.ts'
import type { Lag } from '../kit/lateness.ts'
import { sightControl } from '../kit/sight-control.ts'
import { somewhere } from '../kit/somewhere.ts'
import { tokenPath } from './actions/token.ts'
import { Buckets, type BucketTable } from './buckets.ts'
import type { IbmCall } from './call.ts'
import { instanceControl, instanceVerbs, type IbmControl } from './control.ts'
import { ibmFacts, type IbmFacts } from './facts.ts'
import { FloatingIps } from './floating-ips.ts'
import { Instances } from './instances.ts'
import { VirtualInterfaces } from './interfaces.ts'
import { Lifecycle, type Delays } from './lifecycle.ts'
import { Networks } from './networks.ts'
import { PlatformLogs } from './platform-logs.ts'
import { quotaTables, type Quotas, type QuotaTableName } from './quotas.ts'
import { Reservations, type ReservationTerms } from './reservations.ts'
import { Sight } from './sight.ts'
import { sightVerbs } from './sight-control.ts'
import { Supply } from './supply.ts'
import { supplyControl, supplyVerbs, supplyViews } from './supply-control.ts'
import { Tokens } from './tokens.ts'
import { Volumes } from './volumes.ts'
import { admitCall, answerCall, codeOf, endsList, ibmFailures, refusal, understandCall } from './vpc.ts'
import { elsewhere, standardWorld, type World } from './world.ts'

export interface IbmSimulatorOptions extends Partial<Delays> {
  readonly clock: Clock
  readonly log?: Log
  /** Left out: any free port. */
  readonly port?: number
  /** Who plays the kubelets; left out: there are no Nodes. */
  readonly nodes?: NodeRegistrar
  /** Left out: the standard one, with addresses that no other simulator uses. */
  readonly world?: World
  /** How often an account may call: as IBM is assumed to let it, in a table of one's own, or, left out, as it likes. */
  readonly buckets?: BucketTableName | BucketTable
  /** Left out: lists answer from now. */
  readonly lag?: Lag
  /** How much the account may have; left out: as much as it likes. */
  readonly quotas?: QuotaTableName | Quotas
  /** Where IBM's documents leave open what happens; what is left out is usual. */
  readonly behaviour?: Partial<Behaviour>
  readonly reservations?: readonly ReservationTerms[]
  /** How many calls are remembered one by one, all being counted; left out: 10,000. */
  readonly keptRequests?: number
}

export interface IbmSimulator {
  readonly url: string
  readonly facts: IbmFacts
  readonly control: IbmControl
  readonly requests: readonly RecordedRequest[]
  close(): Promise<void>
}

/** VPC and IAM of one account in one region, on one port; and of other accounts, where keys of them are added. */
export async function startIbmSimulator(options: IbmSimulatorOptions): Promise<IbmSimulator> {
  const { clock, log = silentLog } = options
  const delays = delaysOf(options)
  const account = openAccount(options, delays)
  const { buckets, sight, spoils, switches, world } = account
  const neighbours = new Map<string, Account>()
  const accountFor = ({ request }: IbmCall): Account => {
    const apikey = new URLSearchParams(request.path === tokenPath ? request.body : '').get('apikey')
    const { authorization } = request.headers
    const byToken = () => [...neighbours.values()].find(({ tokens }) => tokens.issued(authorization))
    return (apikey === null ? byToken() : neighbours.get(apikey)) ?? account
  }
  const own = {
    ...instanceControl(account, delays),
    addAccount(apikey: string) {
      const neighbour = openAccount({ ...options, world: { ...elsewhere(world), apikey } }, delays)
      neighbours.set(apikey, neighbour)
      return neighbour.world.accountId
    },
    ...supplyControl(account),
    ...sightControl(sight),
    ...bucketControl(buckets),
    ...behaviourControl(switches),
  }
  const verbs = [instanceVerbs(own), supplyVerbs(own, () => clock.now()), sightVerbs(own), bucketVerbs(own)]
  const running = await startCloud<IbmCall>(
    {
      cloud: 'ibm',
      understand: understandCall,
      admit: (call) => admitCall(call, accountFor(call)),
      perform: (call) => answerCall(call, accountFor(call)),
      refuse: (failure) => refusal(failure, account),
      codeOf,
      endsList,
      failures: ibmFailures,
      spoils,
      verbs: [...verbs.flat(), ...behaviourVerbs(own)],
      views: {
        instances: () => own.instances(),
        remains: () => own.remains(),
        quotas: () => switches.quotas,
        ...supplyViews(own, account),
        buckets: () => buckets.levels(),
        behaviour: () => own.behaviour(),
        logs: () => own.logs(),
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
    facts: ibmFacts(world, running.url),
    control,
    requests: control.requests(),
    close: () => running.close(),
  }
}

function openAccount(options: IbmSimulatorOptions, delays: Delays): Account {
  const { clock, log = silentLog, nodes = noNodes, world = standardWorld(somewhere()), lag } = options
  const networks = new Networks(world)
  const parts = {
    volumes: new Volumes(world),
    interfaces: new VirtualInterfaces(networks),
    floatingIps: new FloatingIps(world),
  }
  const instances = new Instances(parts)
  const switches = switchesOf(options)
  const lifecycle = new Lifecycle({
    clock,
    log,
    nodes,
    region: world.region,
    accountId: world.accountId,
    delays,
    behaviour: () => switches.behaviour,
    changed: (instance) => instances.note(instance, clock.now()),
    released: (instance) => instances.release(instance),
  })
  const sight = new Sight(instances, clock)
  if (lag) sight.lag(lag)
  const reservations = new Reservations(world, () => instances.all)
  for (const terms of options.reservations ?? []) reservations.reserve(terms, clock.now())
  return {
    world,
    tokens: new Tokens(world, clock),
    instances,
    sight,
    lifecycle,
    ...parts,
    networks,
    supply: new Supply(reservations),
    reservations,
    logs: new PlatformLogs(world),
    buckets: new Buckets(clock, options.buckets ?? 'none'),
    spoils: new Spoils(),
    clock,
    switches,
  }
}

function switchesOf({ behaviour, quotas = 'none' }: IbmSimulatorOptions): Switches {
  return {
    behaviour: { ...usualBehaviour, ...behaviour },
    quotas: typeof quotas === 'string' ? quotaTables[quotas] : quotas,
    retryAfter: undefined,
  }
}
