import type { Ctx } from '../../../api/ctx.ts'
import type { CloudSettings } from '../../cloud.ts'
import type { Scope } from '../../../api/scope.ts'
import { foreignAnswer } from '../../shared/foreign-answer.ts'
import type { Check } from '../../shared/shape.ts'
import { CallLine, type WantedTurn } from '../../wire/call-line.ts'
import { pathOf } from '../../wire/path.ts'
import { gceBuckets, turnFor, type GceAction } from './buckets.ts'
import { Credentials } from './credentials.ts'
import { endpointOf } from './endpoint.ts'
import { refusalError, toCloudError } from './errors.ts'
import { withScopeFields } from './fields.ts'
import { Transport } from './transport.ts'

export interface GceCall extends WantedTurn<GceAction> {
  readonly scope: Scope
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** After the project, such as `['zones', 'us-central1-a', 'instances']`. */
  readonly path: readonly string[]
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  /** The kind that the answer has to name, such as `compute#operation`. */
  readonly kind: string
  /** The shape of the answer. */
  readonly shape: Check
}

/** A project: GCE counts the calls of each identity in it. */
const keyOf = ({ identity, account }: Scope): string => `${identity}/${account}`

/** GCE, with the connections to one endpoint. It repeats nothing. */
export class Gce {
  readonly #line: CallLine
  readonly #credentials = new Credentials()
  #endpoint: { readonly url: URL; readonly transport: Transport } | undefined

  constructor(settings: CloudSettings = {}) {
    this.#line = new CallLine({ buckets: gceBuckets, keyOf, settings })
  }

  /** Makes one call when its turn has come. The shape of the call checks `T`. Every failure is a CloudError. */
  async call<T>(call: GceCall, ctx: Ctx): Promise<T> {
    const { scope, action } = call
    const turn = turnFor(call)
    const address = addressOf(call)
    return this.#line.run(
      { scope, turn },
      async (sendOne) => {
        const { url, transport } = this.#server()
        const headers = await this.#credentials.headers(ctx)
        const path = url.pathname + address
        const send = () => this.#answer<T>(call, { path, transport, headers }, ctx)
        return sendOne({ action, isWrite: turn.priority !== 'describe', send, errorOf: toCloudError })
      },
      ctx,
    )
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
    if (answer.status >= 300) throw withScopeFields(refusalError(answer, ctx.clock.now()))
    return ofKind(answer.body, call) as T
  }

  #server(): { readonly url: URL; readonly transport: Transport } {
    if (!this.#endpoint) {
      const url = endpointOf(process.env)
      this.#endpoint = { url, transport: new Transport(url) }
    }
    return this.#endpoint
  }
}

function addressOf({ scope, path, query = {} }: GceCall): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  const asked = parameters.toString()
  return `${pathOf(['projects', scope.account ?? '', ...path])}${asked === '' ? '' : `?${asked}`}`
}

/** An answer that does not say its kind comes from something else than GCE, such as a proxy. */
function ofKind(body: string, { kind, shape, method, action }: GceCall): unknown {
  const answer = parsed(body)
  if (answer?.kind === kind && shape(answer)) return answer
  throw foreignAnswer(method === 'GET' ? 'transient' : 'ambiguous', `The answer to ${action} does not come from GCE.`)
}

function parsed(body: string): { kind?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
