import type { Clock, Log } from '../../../api/ctx.ts'
import type { CloudName } from '../../../providers/instances.ts'
import { ControlPlane, type Verb, type View } from './control.ts'
import { faultControl, faultVerbs, faultViews, type FaultControl } from './fault-control.ts'
import { Faults, type Failure } from './faults.ts'
import { Journal, type Call, type RecordedRequest } from './journal.ts'
import { serve, type WireAnswer, type WireReply, type WireRequest } from './wire.ts'

/** What a cloud's own folder brings. All else (sockets, faults, records, control) is the same for every cloud. */
export interface SimulatedCloud<C extends Call> {
  readonly cloud: CloudName
  /** Understands a request. Never throws: what is wrong with it is for `perform` to answer. */
  understand(request: WireRequest): C
  /** Does the call, all of it, before anything else happens: no other call sees it half done. */
  perform(call: C): WireAnswer
  /** How this cloud writes a refusal. */
  refuse(failure: Failure): WireAnswer
  /** The cloud's code in an answer that refuses. */
  codeOf(answer: WireAnswer): string | undefined
  readonly verbs: readonly Verb[]
  readonly views: Readonly<Record<string, View>>
  /** Ends all that would still happen by itself. */
  close(): void
}

export interface Surroundings {
  readonly clock: Clock
  readonly log: Log
  /** 0, or left out: any free port. */
  readonly port?: number
}

export interface RunningCloud {
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  readonly faults: FaultControl
  close(): Promise<void>
}

export async function startCloud<C extends Call>(
  cloud: SimulatedCloud<C>,
  { clock, log, port = 0 }: Surroundings,
): Promise<RunningCloud> {
  const faults = new Faults()
  const journal = new Journal()
  const control = new ControlPlane([...cloud.verbs, ...faultVerbs(faults)], {
    ...cloud.views,
    ...faultViews(faults, journal),
  })

  const reply = async (request: WireRequest): Promise<WireReply> => {
    if (control.serves(request)) return control.answer(request)
    const call = cloud.understand(request)
    const entry = journal.open(call, clock.now())
    if ((await faults.pass(entry, 'before')) === 'drop') return 'cut'
    const failure = faults.failureFor(call.action)
    const answer = failure ? cloud.refuse(failure) : cloud.perform(call)
    const code = cloud.codeOf(answer)
    entry.answer = { status: answer.status, ...(code === undefined ? {} : { code }) }
    log.debug('Answered a call', { cloud: cloud.cloud, action: call.action, ...entry.answer })
    const verdict = await faults.pass(entry, 'after')
    entry.lost = verdict === 'drop' || faults.losesAnswerOf(call.action)
    return entry.lost ? 'cut' : answer
  }

  const server = await serve({
    port,
    reply,
    broken: (error) => log.error('The simulator failed', { error: String(error) }),
  })
  return {
    url: server.url,
    requests: journal.entries,
    faults: faultControl(faults, journal),
    async close() {
      cloud.close()
      await server.close()
    },
  }
}
