import { EC2Client } from '@aws-sdk/client-ec2'
import type { Ctx } from '../../../api/ctx.ts'
import { Deadline } from '../../../api/deadline.ts'
import { refuseOtherAccount } from '../../shared/account.ts'
import type { CloudSettings } from '../../cloud.ts'
import { pollKey, type Scope } from '../../../api/scope.ts'
import { CallLine, refuseWhileHeld, type WantedTurn } from '../../wire/call-line.ts'
import { longestCallMs } from '../../wire/limits.ts'
import { WhileUsed } from '../../wire/while-used.ts'
import { ec2Buckets, turnFor, type Ec2Action } from './buckets.ts'
import { toCloudError } from './errors.ts'
import { Identity } from './identity.ts'

export interface Ec2Call extends WantedTurn<Ec2Action> {
  readonly scope: Scope
}

/**
 * EC2, with a client for each identity and region. Endpoint and credentials come from the SDK's own variables, files
 * and roles. The SDK repeats nothing: EC2 says "no capacity" with HTTP 500, and the SDK would repeat the call blindly.
 */
export class Ec2 {
  readonly #settings: CloudSettings
  readonly #line: CallLine
  readonly #identity: Identity
  readonly #clients = new WhileUsed<EC2Client>((client) => client.destroy())

  constructor(settings: CloudSettings = {}) {
    this.#settings = settings
    this.#identity = new Identity(settings)
    this.#line = new CallLine({ buckets: ec2Buckets, keyOf: pollKey, settings })
  }

  /** One call of ours, when its turn has come. Every failure is a CloudError. */
  async call<T>(
    call: Ec2Call,
    send: (client: EC2Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    ctx: Ctx,
  ): Promise<T> {
    const { scope, action } = call
    const client = this.#clientFor(scope, ctx)
    const turn = turnFor(call)
    return this.#line.run(
      { scope, turn },
      async (sendOne) => {
        if (scope.account !== undefined) refuseOtherAccount(scope.account, await this.accountOf(scope, ctx))
        using deadline = new Deadline(longestCallMs, () => new Error('EC2 gave no answer in time.'), ctx)
        const sendIt = () => send(client, { abortSignal: deadline.signal })
        return await sendOne({ action, isWrite: turn.priority !== 'describe', send: sendIt, errorOf: toCloudError })
      },
      ctx,
    )
  }

  /** The account of our credentials; undefined where it is not known. */
  accountOf(scope: Scope, ctx: Ctx): Promise<string | undefined> {
    return this.#identity.accountOf(this.#clientFor(scope, ctx), scope, ctx)
  }

  /** Learns the account that an answer names. Throws 'denied' where the scope has another. */
  async answeredBy(account: string | undefined, scope: Scope, ctx: Ctx): Promise<void> {
    if (account === undefined) return
    await this.#identity.learn(this.#clientFor(scope, ctx), account)
    refuseOtherAccount(scope.account, account)
  }

  #clientFor(scope: Scope, { clock }: Ctx): EC2Client {
    const make = () => {
      const client = new EC2Client({
        region: scope.region,
        maxAttempts: 1,
        requestHandler: { connectionTimeout: 5_000, requestTimeout: longestCallMs, throwOnRequestTimeout: true },
      })
      refuseLate(client, this.#settings)
      return client
    }
    return this.#clients.get(pollKey(scope), make, clock.monotonic())
  }
}

/** The last check before the wire: the SDK gets credentials and signs within the call, which may take seconds. */
function refuseLate({ middlewareStack }: EC2Client, settings: CloudSettings): void {
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!commandName.startsWith('Describe')) refuseWhileHeld(settings)
        return next(args)
      },
    { step: 'deserialize', priority: 'low', name: 'refuseWhileHeld' },
  )
}
