import { bucketControl, bucketVerbs, type BucketControl, type SwitchableBuckets } from './control/bucket-control.ts'
import { Chaos } from './faults/chaos.ts'
import { ControlPlane, type View } from './control/control-plane.ts'
import type { Certificate } from './http/either-server.ts'
import { faultControl, faultVerbs, faultViews, type FaultControl } from './control/fault-control.ts'
import { Faults } from './faults/faults.ts'
import type { InstanceView } from './control/instance-control.ts'
import { Journal, type Call, type RecordedRequest } from './http/journal.ts'
import { Latency } from './faults/latency.ts'
import { silentLog } from './log.ts'
import type { SimulatorOptions } from './options.ts'
import { Passage } from './http/passage.ts'
import type { ReadLag } from './instances/read-lag.ts'
import { recordControl, recordVerbs, recordViews, type RecordControl } from './control/record-control.ts'
import { sightControl, sightVerbs, type OwnLateness, type SightControl } from './control/sight-control.ts'
import type { SimulatedCloud } from './http/simulated-cloud.ts'
import type { Spoils } from './faults/spoils.ts'
import type { Verb } from './control/verb.ts'
import { serve, type WireRequest } from './http/wire.ts'

/** What the kit switches in an account of any cloud. */
interface CommonAccount<Table extends object> {
  readonly sight: ReadLag
  readonly buckets: SwitchableBuckets<Table>
  /** Shared with the cloud, because only the cloud itself can spoil a page. */
  readonly spoils: Spoils
  /** Closing it ends all that would still happen by itself. */
  readonly lifecycle: { close(): void }
}

/** The switches of a cloud that no other cloud has, and those that each has in its own way. */
interface OwnControl {
  instances(): readonly InstanceView[]
  remains(): object
}

/** The switches that are the same for every cloud. */
export type CommonControl<Table extends object, Late extends OwnLateness> = SightControl<Late> &
  BucketControl<Table> &
  FaultControl &
  RecordControl

/** What a cloud's own folder brings. All else (sockets, faults, records, control) is the same for every cloud. */
interface Assembly<
  C extends Call,
  Own extends OwnControl,
  Table extends object,
  Late extends OwnLateness,
  Facts,
> extends SimulatedCloud<C> {
  /** Understands a request. Never throws: what is wrong with it is for `admit` and `perform` to answer. */
  understand(request: WireRequest): C
  readonly account: CommonAccount<Table>
  /** Other accounts that were opened since. */
  neighbours?(): Iterable<CommonAccount<Table>>
  readonly own: Own
  readonly verbs: readonly Verb[]
  readonly views: Readonly<Record<string, View>>
  /** What lists can be late with, beside what is made and what ends. */
  readonly lateWith: readonly Late[]
  /** What a person or a test has to know to use it. */
  facts(url: string): Facts
  /** Left out: HTTP alone; else HTTPS as well, on the same port. */
  readonly certificate?: Certificate
}

export interface Simulator<Facts, Control> {
  readonly url: string
  readonly facts: Facts
  readonly control: Control
  readonly requests: readonly RecordedRequest[]
  close(): Promise<void>
}

const usuallyKept = 10_000

export async function assemble<
  C extends Call,
  Own extends OwnControl,
  Table extends object,
  Late extends OwnLateness,
  Facts,
>(
  cloud: Assembly<C, Own, Table, Late, Facts>,
  { clock, log = silentLog, port = 0, keptRequests = usuallyKept }: SimulatorOptions<unknown, Table>,
): Promise<Simulator<Facts, Own & CommonControl<Table, Late>>> {
  const { account, own, certificate } = cloud
  const troubles = { faults: new Faults(), spoils: account.spoils, latency: new Latency(), chaos: new Chaos() }
  const journal = new Journal(keptRequests, clock.now())
  const control = {
    ...own,
    ...sightControl(account.sight),
    ...bucketControl(account.buckets),
    ...faultControl(troubles),
    ...recordControl(journal, () => clock.now()),
  }
  const plane = new ControlPlane(
    [
      ...cloud.verbs,
      ...sightVerbs(control, cloud.lateWith),
      ...bucketVerbs(control),
      ...faultVerbs(control, troubles),
      ...recordVerbs(control),
    ],
    {
      instances: () => own.instances(),
      remains: () => own.remains(),
      ...cloud.views,
      buckets: () => account.buckets.levels(),
      ...recordViews(control),
      ...faultViews(troubles),
    },
  )
  const closing = new AbortController()
  const passage = new Passage(cloud, troubles, { clock, log, signal: closing.signal })

  const server = await serve({
    port,
    ...(certificate && { certificate }),
    reply: async (request, left) => {
      if (plane.serves(request)) return plane.answer(request)
      const call = cloud.understand(request)
      const open = journal.open(call, { at: clock.now(), origin: request.origin })
      left.addEventListener('abort', () => open.request.answer && open.lost(), { once: true })
      return passage.of(call, open, left)
    },
    broken: (error) => log.error('The simulator failed', { error: String(error) }),
  })
  return {
    url: server.url,
    facts: cloud.facts(server.url),
    control,
    requests: control.requests(),
    async close() {
      closing.abort(new Error('The simulator was closed.'))
      for (const one of [account, ...(cloud.neighbours?.() ?? [])]) one.lifecycle.close()
      await server.close()
    },
  }
}
