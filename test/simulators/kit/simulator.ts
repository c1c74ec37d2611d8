import type { Clock, Log } from '../../../api/ctx.ts'
import { Chaos } from './chaos.ts'
import { ControlPlane } from './control.ts'
import type { Certificate } from './either-server.ts'
import { faultControl, faultVerbs, faultViews, type FaultControl } from './fault-control.ts'
import { Faults } from './faults.ts'
import { Journal, type Call } from './journal.ts'
import { Latency } from './latency.ts'
import { recordControl, recordVerbs, recordViews, type RecordControl } from './record-control.ts'
import { Passage } from './passage.ts'
import type { SimulatedCloud } from './simulated-cloud.ts'
import { serve } from './wire.ts'

export interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  /** 0, or left out: any free port. */
  readonly port?: number
  /** How many calls are remembered one by one. */
  readonly keptRequests?: number
  /** Left out: HTTP alone; else HTTPS as well, on the same port. */
  readonly certificate?: Certificate
}

export interface RunningCloud {
  readonly url: string
  readonly faults: FaultControl
  readonly records: RecordControl
  close(): Promise<void>
}

const usuallyKept = 10_000

export async function startCloud<C extends Call>(
  cloud: SimulatedCloud<C>,
  { clock, log, port = 0, keptRequests = usuallyKept, certificate }: Surroundings,
): Promise<RunningCloud> {
  const troubles = { faults: new Faults(), spoils: cloud.spoils, latency: new Latency(), chaos: new Chaos() }
  const journal = new Journal(keptRequests, clock.now())
  const faults = faultControl(troubles)
  const records = recordControl(journal, () => clock.now())
  const control = new ControlPlane([...cloud.verbs, ...faultVerbs(faults, troubles), ...recordVerbs(records)], {
    ...cloud.views,
    ...recordViews(records),
    ...faultViews(troubles),
  })
  const closing = new AbortController()
  const passage = new Passage(cloud, troubles, { clock, log, signal: closing.signal })

  const server = await serve({
    port,
    ...(certificate && { certificate }),
    reply: async (request, left) => {
      if (control.serves(request)) return control.answer(request)
      const call = cloud.understand(request)
      const open = journal.open(call, { at: clock.now(), origin: request.origin })
      left.addEventListener('abort', () => open.request.answer && open.lost(), { once: true })
      return passage.of(call, open)
    },
    broken: (error) => log.error('The simulator failed', { error: String(error) }),
  })
  return {
    url: server.url,
    faults,
    records,
    async close() {
      closing.abort(new Error('The simulator was closed.'))
      cloud.close()
      await server.close()
    },
  }
}
