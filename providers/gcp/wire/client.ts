import type { Ctx } from '../../../api/ctx.ts'
import type { CloudSettings } from '../../cloud.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import type { Scope } from '../../../api/scope.ts'
import type { Check } from '../../shared/shape.ts'
import type { BucketLimits } from '../../wire/bucket.ts'
import { Limiter } from '../../wire/limiter.ts'
import { pathOf } from '../../wire/path.ts'
import { refuseWhileHeld, sendCounted } from '../../wire/send-counted.ts'
import { WhileUsed } from '../../wire/while-used.ts'
import { gceBuckets, turnFor, type WantedTurn } from './buckets.ts'
import { Credentials } from './credentials.ts'
import { endpointOf } from './endpoint.ts'
import { refusalError, toCloudError } from './errors.ts'
import { withPlace } from './fields.ts'
import { Transport } from './transport.ts'

export interface GceCall extends WantedTurn {
  readonly scope: Scope
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** After the project, such as `['zones', 'us-central1-a', 'instances']`. */
  readonly path: readonly string[]
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  /** What the answer says that it is, such as `compute#operation`. */
  readonly kind: string
  /** And what it has to look like. */
  readonly shape: Check
}

/**
 * GCE: a limiter for each project and identity, so that whatever draws on the same quotas waits in the same line here,
 * and the connections to one endpoint. Nothing is repeated here.
 */
export class Gce {
  readonly #settings: CloudSettings
  readonly #buckets: Readonly<Record<string, BucketLimits>>
  readonly #credentials = new Credentials()
  readonly #limiters = new WhileUsed<Limiter>()
  #endpoint: { readonly url: URL; readonly transport: Transport } | undefined

  constructor(settings: CloudSettings = {}) {
    this.#settings = settings
    this.#buckets = { ...gceBuckets, ...settings.grantedLimits }
  }

  /** One call of ours, when its turn has come; `T` is what its shape says. Whatever goes wrong is a CloudError. */
  async call<T>(call: GceCall, ctx: Ctx): Promise<T> {
    const turn = turnFor(call)
    const address = addressOf(call)
    const asked = ctx.clock.monotonic()
    const inTurn = async () => {
      const { url, transport } = this.#server()
      const headers = await this.#credentials.headers(ctx)
      if (turn.priority !== 'describe') refuseWhileHeld(this.#settings)
      const sent = { scope: call.scope, action: call.action, waitedMs: ctx.clock.monotonic() - asked }
      const path = url.pathname + address
      const send = () => this.#answer<T>(call, { path, transport, headers }, ctx)
      return sendCounted({ sent, send, errorOf: toCloudError }, this.#settings, ctx)
    }
    return this.#limiterOf(call.scope, ctx).run(turn, inTurn, ctx)
  }

  async #answer<T>(
    call: GceCall,
    { path, transport, headers }: { path: string; transport: Transport; headers: Record<string, string> },
    ctx: Ctx,
  ): Promise<T> {
    const { method, body } = call
    const answer = await transport.send(
      {
        method,
        path,
        headers: { ...headers, accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      },
      ctx,
    )
    if (answer.status === 401) this.#credentials.forget()
    if (answer.status >= 300) throw withPlace(refusalError(answer, ctx.clock.now()))
    return ofKind(answer.body, call) as T
  }

  #server(): { readonly url: URL; readonly transport: Transport } {
    if (!this.#endpoint) {
      const url = endpointOf(process.env)
      this.#endpoint = { url, transport: new Transport(url) }
    }
    return this.#endpoint
  }

  #limiterOf({ identity, account }: Scope, { clock }: Ctx): Limiter {
    return this.#limiters.get(`${identity}/${account}`, () => new Limiter(this.#buckets), clock.monotonic())
  }
}

function addressOf({ scope, path, query = {} }: GceCall): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  const asked = parameters.toString()
  return `${pathOf(['projects', scope.account ?? '', ...path])}${asked === '' ? '' : `?${asked}`}`
}

/** What does not say that it is what was asked for comes of something that is not GCE: a proxy's own page, say. */
function ofKind(body: string, { kind, shape, method, action }: GceCall): unknown {
  const answer = parsed(body)
  if (answer?.kind === kind && shape(answer)) return answer
  throw new CloudError(method === 'GET' ? 'transient' : 'ambiguous', {
    code: 'ForeignAnswer',
    message: `The answer to ${action} does not come from GCE.`,
  })
}

function parsed(body: string): { kind?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
