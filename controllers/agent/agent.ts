import type { Ctx } from '../../api/ctx.ts'
import { Deadline } from '../../api/deadline.ts'
import type { Node } from '../../api/machine.ts'
import { unlessAborted } from '../../api/unless-aborted.ts'
import type { Condition } from '../../api/conditions.ts'
import type { Say } from './announcement.ts'
import { Reporter } from './reporter.ts'
import { untilDone } from './retry.ts'
import type { Source } from './sources/source.ts'

export interface AgentParts {
  readonly api: {
    ownNode(ctx: Ctx): Promise<Node>
    apply(conditions: readonly Condition[], ctx: Ctx): Promise<void>
    podIsEnding(ctx: Ctx): Promise<boolean>
  }
  /** The announcements of the cloud that the Node is in. Undefined: it makes none. */
  readonly sourceOf: (providerID: string) => Source | undefined
}

/** Within the termination grace period in config/agent. */
const lastWordsMs = 25_000
/** A cloud controller manager may set the providerID later. */
const withoutProviderMs = 10_000

/** Reports until the signal fires, which means that the process was told to end. */
export async function runAgent(parts: AgentParts, ctx: Ctx): Promise<void> {
  const end = new AbortController()
  const own: Ctx = { ...ctx, signal: end.signal }
  const { api } = parts
  const reporter = new Reporter((conditions, within) => api.apply(conditions, within))
  const work = report(parts, reporter, own)
  try {
    await unlessAborted(work, ctx.signal)
  } catch (error) {
    if (!ctx.signal.aborted) throw error
    await lastWords(api, reporter, own)
  } finally {
    end.abort(new Error('The agent ends.'))
    await work.catch(() => undefined)
  }
}

async function report({ api, sourceOf }: AgentParts, reporter: Reporter, ctx: Ctx): Promise<never> {
  const node = await untilDone(() => api.ownNode(ctx), ctx)
  reporter.begin((node.status?.conditions ?? []) as readonly Condition[], ctx.clock.now())
  const say: Say = (type, announced) => reporter.say(type, announced, ctx)
  const [never] = await Promise.all([
    reporter.run(ctx),
    watch(node, { api, start: (id) => sourceOf(id)?.(say, ctx) }, ctx),
  ])
  return never
}

interface Watch {
  readonly api: AgentParts['api']
  readonly start: (providerID: string) => Promise<void> | undefined
}

async function watch(first: Node, { api, start }: Watch, ctx: Ctx): Promise<void> {
  let node = first
  while (!node.spec?.providerID) {
    await ctx.clock.sleep(withoutProviderMs, ctx.signal)
    node = await untilDone(() => api.ownNode(ctx), ctx)
  }
  const { providerID } = node.spec
  ctx.log.info('Watching', { providerID })
  const running = start(providerID)
  if (running) await running
  else ctx.log.info('This cloud announces nothing in its metadata', { providerID })
}

/**
 * The process was told to end. If that is not for the end of its Pod, the Node shuts down, or the kubelet restarts the
 * container. The manager asks the cloud which of them it is.
 */
async function lastWords(api: AgentParts['api'], reporter: Reporter, ctx: Ctx): Promise<void> {
  using deadline = new Deadline(lastWordsMs, () => new Error('The time to end is over.'), ctx)
  const within: Ctx = { ...ctx, signal: deadline.signal }
  try {
    const isEnding = await untilDone(() => api.podIsEnding(within), within)
    const message = 'The agent was told to end, and its Pod is not being deleted'
    if (!isEnding) reporter.say('NodeShutdown', { reason: 'AgentToldToEnd', message }, ctx)
    await reporter.written(within.signal)
  } catch (error) {
    ctx.log.warn('The end came before all was written', { error: String(error) })
  }
}
