import { createComputeManagement, type ComputeManagementContext } from '@azure/arm-compute/api'
import type { TokenCredential } from '@azure/identity'
import type { Ctx } from '../../../api/ctx.ts'
import type { CloudSettings } from '../../cloud.ts'
import { CloudError } from '../../../api/cloud-error.ts'
import { pollKey, type Scope } from '../../../api/scope.ts'
import { CallLine, refuseWhileHeld, type WantedTurn } from '../../wire/call-line.ts'
import { longestCallMs } from '../../wire/limits.ts'
import { WhileUsed } from '../../wire/while-used.ts'
import { actions, type ArmAction } from './actions.ts'
import { armBuckets, turnFor, type TurnAction } from './buckets.ts'
import { withDeadline } from './with-deadline.ts'
import { redact } from './redact.ts'
import { endpointFrom, type Endpoint } from './endpoint.ts'
import { refusalOf, toCloudError } from './errors.ts'
import { withScopeFields } from './fields.ts'
import type { Environment } from '../variables.ts'

/** One request. Its caller reads the answer as Azure sends it. */
export interface ArmRequest {
  readonly action: ArmAction
  /** A path, or the whole address of a list's next page. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The part of the body that must not appear in any message. */
  readonly secret?: string
}

export interface ArmAnswer {
  readonly status: number
  readonly body: unknown
}

export interface ArmCall extends ArmRequest, Omit<WantedTurn<ArmAction>, 'action'> {
  readonly scope: Scope
}

/** One request within a turn. Throws `CloudError` for all but a success. */
export type Send = (request: ArmRequest) => Promise<ArmAnswer>

interface Access {
  readonly client: ComputeManagementContext
  readonly endpoint: Endpoint
}

/**
 * Azure's API, with a client for each subscription and region. The pipeline (tokens, proxies, TLS) is that of Azure's
 * own client. The requests are ours: Azure's pollers follow every operation and forget the code of a failed one, and
 * its network client takes more memory than all the rest. It repeats nothing.
 */
export class Arm {
  readonly #settings: CloudSettings
  readonly #environment: Environment
  readonly #credential: TokenCredential
  readonly #line: CallLine
  readonly #accesses = new WhileUsed<Access>()

  constructor(credential: TokenCredential, environment: Environment, settings: CloudSettings = {}) {
    this.#credential = credential
    this.#environment = environment
    this.#settings = settings
    this.#line = new CallLine({ buckets: armBuckets, keyOf: pollKey, settings })
  }

  /** One call, when its turn has come. Every failure is a CloudError. */
  call(call: ArmCall, ctx: Ctx): Promise<ArmAnswer> {
    return this.turn(call, (send) => send(call), ctx)
  }

  /** All calls of one turn: as many as the action has tokens for. */
  async turn<T>(
    wanted: WantedTurn<TurnAction> & { scope: Scope },
    run: (send: Send) => Promise<T>,
    ctx: Ctx,
  ): Promise<T> {
    const { scope } = wanted
    const access = this.#accessTo(scope, ctx)
    return this.#line.run(
      { scope, turn: turnFor(wanted) },
      (sendOne) =>
        run((request) => {
          const { action, secret } = request
          const isWrite = actions[action].method !== 'get'
          const errorOf = (thrown: unknown) => withoutSecret(toCloudError(thrown), secret)
          return sendOne({ action, isWrite, send: () => exchange(access, request, ctx), errorOf })
        }),
      ctx,
    )
  }

  #accessTo(scope: Scope, { clock }: Ctx): Access {
    const { account } = scope
    if (!account) {
      const message =
        'No subscription: set spec.subscriptionID of the AzureCluster, or AZURE_SUBSCRIPTION_ID of the manager.'
      throw new CloudError('denied', { code: 'NoSubscription', message })
    }
    const make = () => {
      const endpoint = endpointFrom(this.#environment)
      const client = clientFor(endpoint, this.#credential, account)
      refuseLate(client, this.#settings)
      return { client, endpoint }
    }
    return this.#accesses.get(pollKey(scope), make, clock.monotonic())
  }
}

function withoutSecret(error: CloudError, secret = ''): CloudError {
  const { kind, code, message, retryAfterMs } = error
  const told = redact(message, secret)
  if (told === message) return error
  return new CloudError(kind, { code, message: told, retryAfterMs })
}

async function exchange(
  { client, endpoint }: Access,
  { action, path, query, headers, body }: ArmRequest,
  ctx: Ctx,
): Promise<ArmAnswer> {
  const { method, version } = actions[action]
  if (!path.startsWith('/') && new URL(path).origin !== new URL(endpoint.url).origin) {
    // Our token goes along.
    throw new CloudError('transient', {
      code: 'ForeignLink',
      message: 'The link to the next page of a list does not lead to Azure.',
    })
  }
  const request = (abortSignal: AbortSignal) =>
    client.pathUnchecked(path)[method]({
      queryParameters: { 'api-version': version, ...query },
      headers: { ...headers },
      ...(body === undefined ? {} : { body }),
      timeout: longestCallMs,
      abortSignal,
    })
  const answer = await withDeadline(request, ctx)
  const status = Number(answer.status)
  const content: unknown = answer.body
  if (status >= 200 && status < 300) return { status, body: content }
  throw withScopeFields(refusalOf({ status, body: content, retryAfter: answer.headers['retry-after'] }))
}

function clientFor(endpoint: Endpoint, credential: TokenCredential, subscription: string): ComputeManagementContext {
  const client = createComputeManagement(credential, subscription, {
    endpoint: endpoint.url,
    allowInsecureConnection: endpoint.isPlain,
    credentials: { scopes: [endpoint.tokenScope] },
    retryOptions: { maxRetries: 0 },
  })
  if (endpoint.isPlain) sendTokenInTheClear(client, endpoint, credential)
  return client
}

/** The client's own policy refuses to, and rightly so; but a loopback address is safe. */
function sendTokenInTheClear(
  { pipeline }: ComputeManagementContext,
  { tokenScope }: Endpoint,
  credential: TokenCredential,
) {
  pipeline.removePolicy({ name: 'bearerTokenAuthenticationPolicy' })
  pipeline.addPolicy({
    name: 'loopbackToken',
    async sendRequest(request, next) {
      const given = await credential.getToken(tokenScope)
      request.headers.set('authorization', `Bearer ${given?.token ?? ''}`)
      return next(request)
    },
  })
}

/** The last check before the wire: the pipeline gets a token, which may take seconds. */
function refuseLate({ pipeline }: ComputeManagementContext, settings: CloudSettings): void {
  pipeline.addPolicy(
    {
      name: 'refuseWhileHeld',
      async sendRequest(request, next) {
        if (request.method !== 'GET') refuseWhileHeld(settings)
        return next(request)
      },
    },
    { afterPhase: 'Sign' },
  )
}
