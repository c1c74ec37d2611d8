import { createTestAuthority } from '../../support/fakes/certificate.ts'
import { assemble, type CommonControl, type Simulator } from '../kit/assemble.ts'
import { Capacity } from '../kit/supply/capacity.ts'
import { settingsOf, type Settings, type SimulatorOptions } from '../kit/options.ts'
import { somewhere } from '../kit/somewhere.ts'
import { Spoils } from '../kit/faults/spoils.ts'
import type { Account } from './account.ts'
import { admitCall, answerCall, armFailures, codeOf, endsList, refusal, understandCall } from './http/arm.ts'
import { Authority, type ClientSecrets } from './http/authority.ts'
import { bootedMachine } from './instances/booted-machine.ts'
import { Buckets, type BucketTable } from './http/buckets.ts'
import { holdings, type ArmHole } from './supply/capacity.ts'
import { instanceControl, instanceVerbs, type InstanceControl } from './control/instance-control.ts'
import { Disks } from './instances/disks.ts'
import { azureFacts, type AzureFacts } from './facts.ts'
import type { Instance } from './instances/instance.ts'
import { Interfaces } from './instances/interfaces.ts'
import { Launches } from './supply/launches.ts'
import { Lifecycle } from './instances/lifecycle.ts'
import { Operations } from './http/operations.ts'
import { releaseParts } from './instances/parts.ts'
import { PublicAddresses } from './instances/public-addresses.ts'
import { Quotas } from './supply/quotas.ts'
import { Shelf } from './instances/resources.ts'
import { ArmSight } from './instances/sight.ts'
import { SpotMarket } from './supply/spot-market.ts'
import { StatusList } from './instances/status-list.ts'
import { supplyControl, supplyVerbs, supplyViews, type SupplyControl } from './control/supply-control.ts'
import { standardWorld, type World } from './world.ts'

export interface AzureSimulatorOptions extends SimulatorOptions<World, BucketTable> {
  /** Left out: any client and any token will do. */
  readonly secrets?: ClientSecrets
  /** How many resources stand on one page of a list; left out: 200. */
  readonly pageSize?: number
}

export type AzureControl = InstanceControl & SupplyControl & CommonControl<BucketTable, 'tags' | 'gets'>
export type AzureSimulator = Simulator<AzureFacts, AzureControl>

/** Azure's compute and network API of one subscription in one region, and the authority for it, on one port. */
export async function startAzureSimulator(options: AzureSimulatorOptions): Promise<AzureSimulator> {
  const settings = settingsOf(options, () => standardWorld(somewhere()))
  const { clock, delays } = settings
  const account = openAccount(settings, options)
  const own = { ...instanceControl({ account, delays }), ...supplyControl(account) }
  const signer = createTestAuthority('simulators')
  return assemble(
    {
      cloud: 'azure',
      understand: understandCall,
      admit: (call) => admitCall(call, account),
      perform: (call) => answerCall(call, account),
      refuse: refusal,
      codeOf,
      endsList,
      failures: armFailures,
      account,
      own,
      verbs: [...instanceVerbs(own), ...supplyVerbs(own, () => clock.now())],
      views: supplyViews(account),
      lateWith: ['tags', 'gets'],
      facts: (url) => azureFacts(account.world, url, signer.cert),
      certificate: signer.issue('azure', ['localhost']),
    },
    options,
  )
}

function openAccount(
  settings: Settings<World, BucketTable>,
  { secrets, pageSize = 200 }: AzureSimulatorOptions,
): Account {
  const { clock, world, delays, table, lag } = settings
  const instances = new Shelf<Instance>()
  const operations = new Operations(clock)
  const account: Account = {
    world,
    authority: new Authority(world, clock, secrets),
    instances,
    interfaces: new Interfaces(world),
    publicAddresses: new PublicAddresses(),
    disks: new Disks(),
    operations,
    sight: new ArmSight(clock, lag),
    statusList: new StatusList(),
    lifecycle: new Lifecycle({
      ...settings,
      instances,
      operations,
      booted: (instance) => bootedMachine(instance, account),
      released: (instance, how) => releaseParts(instance, how, account),
    }),
    capacity: new Capacity<ArmHole>(() => holdings(instances.all)),
    launches: new Launches(),
    quotas: new Quotas(),
    market: new SpotMarket(),
    buckets: new Buckets(clock, table),
    spoils: new Spoils(),
    clock,
    evictionNoticeMs: delays.noticeMs,
    pageSize,
  }
  return account
}
