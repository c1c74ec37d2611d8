import type { Clock, Log } from '../../../api/ctx.ts'
import { createTestAuthority } from '../../support/fakes/certificate.ts'
import type { RecordedRequest } from '../kit/journal.ts'
import { silentLog } from '../kit/log.ts'
import { noNodes, type NodeRegistrar } from '../kit/nodes.ts'
import { startCloud } from '../kit/simulator.ts'
import { Spoils } from '../kit/spoils.ts'
import type { Account } from './account.ts'
import { admitCall, answerCall, armFailures, codeOf, endsList, refusal, routes } from './arm.ts'
import { Authority, type ClientSecrets } from './authority.ts'
import { bootedMachine } from './booted-machine.ts'
import { bucketControl, bucketVerbs, type BucketTableName } from '../kit/bucket-control.ts'
import type { Lag } from '../kit/lateness.ts'
import { sightControl } from '../kit/sight-control.ts'
import { somewhere } from '../kit/somewhere.ts'
import { Buckets, type BucketTable } from './buckets.ts'
import { readCall, type ArmCall } from './call.ts'
import { Capacity } from '../kit/capacity.ts'
import { delaysOf } from '../kit/delays.ts'
import type { ArmHole } from './capacity.ts'
import { instanceControl, instanceVerbs, instanceViews, type AzureControl } from './control.ts'
import { Disks } from './disks.ts'
import { azureFacts, type AzureFacts } from './facts.ts'
import type { Instance } from './instance.ts'
import { Interfaces } from './interfaces.ts'
import { Launches } from './launches.ts'
import { Lifecycle, type Delays } from './lifecycle.ts'
import { Operations } from './operations.ts'
import { releaseParts } from './parts.ts'
import { PublicAddresses } from './public-addresses.ts'
import { Quotas } from './quotas.ts'
import { Shelf } from './resources.ts'
import { Sight } from './sight.ts'
import { sightVerbs } from './sight-control.ts'
import { SpotMarket } from './spot-market.ts'
import { StatusList } from './status-list.ts'
import { supplyControl, supplyVerbs, supplyViews } from './supply-control.ts'
import { standardWorld, type World } from './world.ts'

export interface AzureSimulatorOptions extends Partial<Delays> {
  readonly clock: Clock
  readonly log?: Log
  /** Left out: any free port. */
  readonly port?: number
  /** Who plays the kubelets; left out: there are no Nodes. */
  readonly nodes?: NodeRegistrar
  /** Left out: the standard one, with addresses that no other simulator uses. */
  readonly world?: World
  /** Left out: any client and any token will do. */
  readonly secrets?: ClientSecrets
  /** How often a subscription may call: as at Azure, as in a table of one's own, or, left out, as often as it likes. */
  readonly buckets?: BucketTableName | BucketTable
  /** Left out: lists answer from now. */
  readonly lag?: Lag
  /** How many resources stand on one page of a list; left out: 200. */
  readonly pageSize?: number
  /** How many calls are remembered one by one, all being counted; left out: 10,000. */
  readonly keptRequests?: number
}

export interface AzureSimulator {
  readonly url: string
  readonly facts: AzureFacts
  readonly control: AzureControl
  readonly requests: readonly RecordedRequest[]
  close(): Promise<void>
}

/** Azure's compute and network API of one subscription in one region, and the authority for it, on one port. */
export async function startAzureSimulator(options: AzureSimulatorOptions): Promise<AzureSimulator> {
  const { clock, log = silentLog } = options
  const delays = delaysOf(options)
  const account = openAccount(options, delays)
  const own = {
    ...instanceControl({ account, delays }),
    ...supplyControl(account),
    ...sightControl(account.sight),
    ...bucketControl(account.buckets),
  }
  const signer = createTestAuthority('simulators')
  const running = await startCloud<ArmCall>(
    {
      cloud: 'azure',
      understand: (request) => readCall(request, routes),
      admit: (call) => admitCall(call, account),
      perform: (call) => answerCall(call, account),
      refuse: refusal,
      codeOf,
      endsList,
      failures: armFailures,
      spoils: account.spoils,
      verbs: [...instanceVerbs(own), ...supplyVerbs(own, () => clock.now()), ...sightVerbs(own), ...bucketVerbs(own)],
      views: { ...instanceViews(own), ...supplyViews(account), buckets: () => account.buckets.levels() },
      close: () => account.lifecycle.close(),
    },
    { ...options, log, certificate: signer.issue('azure', ['localhost']) },
  )
  const control = { ...own, ...running.faults, ...running.records }
  return {
    url: running.url,
    facts: azureFacts(account.world, running.url, signer.cert),
    control,
    requests: control.requests(),
    close: () => running.close(),
  }
}

function openAccount(options: AzureSimulatorOptions, delays: Delays): Account {
  const { clock, log = silentLog, nodes = noNodes, world = standardWorld(somewhere()), lag } = options
  const instances = new Shelf<Instance>()
  const operations = new Operations(clock)
  const sight = new Sight(clock)
  if (lag) sight.lag(lag)
  const account: Account = {
    world,
    authority: new Authority(world, clock, options.secrets),
    instances,
    interfaces: new Interfaces(world),
    publicAddresses: new PublicAddresses(),
    disks: new Disks(),
    operations,
    sight,
    statusList: new StatusList(),
    lifecycle: new Lifecycle({
      clock,
      log,
      nodes,
      delays,
      instances,
      operations,
      booted: (instance) => bootedMachine(instance, account),
      released: (instance, how) => releaseParts(instance, how, account),
    }),
    capacity: new Capacity<ArmHole>(),
    launches: new Launches(),
    quotas: new Quotas(),
    market: new SpotMarket(),
    buckets: new Buckets(clock, options.buckets ?? 'none'),
    spoils: new Spoils(),
    clock,
    evictionNoticeMs: delays.noticeMs,
    pageSize: options.pageSize ?? 200,
  }
  return account
}
