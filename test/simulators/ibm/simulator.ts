import { assemble, type CommonControl, type Simulator } from '../kit/assemble.ts'
import { settingsOf, type Settings, type SimulatorOptions } from '../kit/options.ts'
import { somewhere } from '../kit/somewhere.ts'
import { AddressPools } from '../kit/supply/addresses.ts'
import { Spoils } from '../kit/faults/spoils.ts'
import { verbsOf } from '../kit/control/verb.ts'
import type { Account, Switches } from './account.ts'
import { tokenPath } from './actions/token.ts'
import { usualBehaviour, type Behaviour } from './control/behaviour.ts'
import { behaviourControl, behaviourVerbs, type BehaviourControl } from './control/behaviour-control.ts'
import { Buckets, type BucketTable } from './http/buckets.ts'
import type { IbmCall } from './http/call.ts'
import { instanceControl, instanceVerbs, type InstanceControl } from './control/instance-control.ts'
import { ibmFacts, type IbmFacts } from './facts.ts'
import { FloatingIps } from './instances/floating-ips.ts'
import { Instances } from './instances/instances.ts'
import { VirtualInterfaces } from './instances/interfaces.ts'
import { Lifecycle } from './instances/lifecycle.ts'
import { PlatformLogs } from './instances/platform-logs.ts'
import { quotaTables, type Quotas, type QuotaTableName } from './supply/quotas.ts'
import { Reservations, type ReservationTerms } from './supply/reservations.ts'
import { VpcSight } from './instances/sight.ts'
import { Supply } from './supply/supply.ts'
import { supplyControl, supplyVerbs, supplyViews, type SupplyControl } from './control/supply-control.ts'
import { Tokens } from './http/tokens.ts'
import { Volumes } from './instances/volumes.ts'
import { admitCall, answerCall, codeOf, endsList, ibmFailures, refusal, understandCall } from './http/vpc.ts'
import { elsewhere, standardWorld, type World } from './world.ts'

export interface IbmSimulatorOptions extends SimulatorOptions<World, BucketTable> {
  /** How much the account may have; left out: as much as it likes. */
  readonly quotas?: QuotaTableName | Quotas
  /** Where IBM's documents leave open what happens; what is left out is usual. */
  readonly behaviour?: Partial<Behaviour>
  readonly reservations?: readonly ReservationTerms[]
}

/** What happens to API keys. */
interface AccountControl {
  /** From now on this key is one of another account, in which there is nothing yet; answers with that account's id. */
  addAccount(apikey: string): string
}

export type IbmControl = InstanceControl &
  AccountControl &
  SupplyControl &
  BehaviourControl &
  CommonControl<BucketTable, 'writes'>
export type IbmSimulator = Simulator<IbmFacts, IbmControl>

/** VPC and IAM of one account in one region, on one port; and of other accounts, where keys of them are added. */
export async function startIbmSimulator(options: IbmSimulatorOptions): Promise<IbmSimulator> {
  const settings = settingsOf(options, () => standardWorld(somewhere()))
  const { clock, delays, world } = settings
  const account = openAccount(settings, options)
  const { switches } = account
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
      const neighbour = openAccount({ ...settings, world: { ...elsewhere(world), apikey } }, options)
      neighbours.set(apikey, neighbour)
      return neighbour.world.accountId
    },
    ...supplyControl(account),
    ...behaviourControl(switches),
  }
  const addAccount = 'this API key is one of another account from now on, in which there is nothing yet'
  return assemble(
    {
      cloud: 'ibm',
      understand: understandCall,
      admit: (call) => admitCall(call, accountFor(call)),
      perform: (call) => answerCall(call, accountFor(call)),
      refuse: (failure, call) => refusal(failure, call, accountFor(call)),
      codeOf,
      endsList,
      failures: ibmFailures,
      account,
      neighbours: () => neighbours.values(),
      own,
      verbs: [
        ...instanceVerbs(own),
        verbsOf(own)('addAccount', addAccount, ['apikey', 'text']),
        ...supplyVerbs(own, () => clock.now()),
        ...behaviourVerbs(own),
      ],
      views: {
        quotas: () => switches.quotas,
        ...supplyViews(own, account),
        behaviour: () => own.behaviour(),
        logs: () => own.logs(),
      },
      lateWith: ['writes'],
      facts: (url) => ibmFacts(world, url),
    },
    options,
  )
}

function openAccount(settings: Settings<World, BucketTable>, options: IbmSimulatorOptions): Account {
  const { clock, world, table, lag } = settings
  const networks = new AddressPools(world.subnets, { skipped: world.skippedAddresses })
  const parts = {
    volumes: new Volumes(world),
    interfaces: new VirtualInterfaces(networks),
    floatingIps: new FloatingIps(world),
  }
  const instances = new Instances(parts, clock)
  const switches = switchesOf(options)
  const lifecycle = new Lifecycle({
    ...settings,
    region: world.region,
    accountId: world.accountId,
    behaviour: () => switches.behaviour,
    changed: (instance) => instances.note(instance),
    released: (instance) => instances.release(instance),
  })
  const reservations = new Reservations(world, () => instances.visible())
  for (const terms of options.reservations ?? []) reservations.reserve(terms, clock.now())
  return {
    world,
    tokens: new Tokens(world, clock),
    instances,
    sight: new VpcSight(instances, clock, lag),
    lifecycle,
    ...parts,
    networks,
    supply: new Supply(reservations, instances),
    reservations,
    logs: new PlatformLogs(world),
    buckets: new Buckets(clock, table),
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
