import { EC2Client } from '@aws-sdk/client-ec2'
import type { Ctx } from '../../../api/ctx.ts'
import { Deadline } from '../../../api/deadline.ts'
import { refuseOtherAccount } from '../../shared/account.ts'
import type { CloudSettings } from '../../cloud.ts'
import type { Scope } from '../../../api/scope.ts'
import type { BucketLimits } from '../../wire/bucket.ts'
import { Limiter } from '../../wire/limiter.ts'
import { longestCallMs } from '../../wire/limits.ts'
import { refuseWhileHeld, sendCounted } from '../../wire/send-counted.ts'
import { WhileUsed } from '../../wire/while-used.ts'
import { ec2Buckets, turnFor, type WantedTurn } from './buckets.ts'
import { toCloudError } from './errors.ts'
import { Identity } from './identity.ts'

export interface Ec2Call extends WantedTurn {
  readonly scope: Scope
}

interface Access {
  readonly client: EC2Client
  readonly limiter: Limiter
}

/**
 * EC2, a client and a limiter for each identity and region: whatever draws on the same buckets at EC2 waits in the same
 * line here. Endpoint and credentials come from the SDK's own variables, files and roles. Retries are ours alone: EC2
 * says "no capacity" with HTTP 500, which the SDK would ask again, blindly.
 */
export class Ec2 {
  readonly #settings: CloudSettings
  readonly #buckets: Readonly<Record<string, BucketLimits>>
  readonly #identity: Identity
  readonly #accesses = new WhileUsed<Access>(({ client }) => client.destroy())

  constructor(settings: CloudSettings = {}) {
    this.#settings = settings
    this.#identity = new Identity(settings)
    this.#buckets = { ...ec2Buckets, ...settings.grantedLimits }
  }

  /** One call of ours, when its turn has come. Whatever goes wrong is a CloudError. */
  async call<T>(
    call: Ec2Call,
    send: (client: EC2Client, options: { abortSignal: AbortSignal }) => Promise<T>,
    ctx: Ctx,
  ): Promise<T> {
    const { client, limiter } = this.#accessTo(call.scope, ctx)
    const turn = turnFor(call)
    const asked = ctx.clock.monotonic()
    const inTurn = async () => {
      if (call.scope.account !== undefined)
        refuseOtherAccount(call.scope.account, await this.accountOf(call.scope, ctx))
      if (turn.priority !== 'describe') refuseWhileHeld(this.#settings)
      const sent = { scope: call.scope, action: call.action, waitedMs: ctx.clock.monotonic() - asked }
      using deadline = new Deadline(longestCallMs, () => new Error('EC2 gave no answer in time.'), ctx)
      const sendIt = () => send(client, { abortSignal: deadline.signal })
      return await sendCounted({ sent, send: sendIt, errorOf: toCloudError }, this.#settings, ctx)
    }
    return limiter.run(turn, inTurn, ctx)
  }

  /** The account that our credentials are of now; undefined where that is not known. */
  accountOf(scope: Scope, ctx: Ctx): Promise<string | undefined> {
    return this.#identity.accountOf(this.#accessTo(scope, ctx).client, scope, ctx)
  }

  /** An answer was of this account. Throws 'denied' where it is another than the scope's. */
  async answeredBy(account: string | undefined, scope: Scope, ctx: Ctx): Promise<void> {
    if (account === undefined) return
    await this.#identity.learn(this.#accessTo(scope, ctx).client, account)
    refuseOtherAccount(scope.account, account)
  }

  #accessTo({ identity, region }: Scope, { clock }: Ctx): Access {
    const make = () => {
      const client = new EC2Client({
        region,
        maxAttempts: 1,
        requestHandler: { connectionTimeout: 5_000, requestTimeout: longestCallMs, throwOnRequestTimeout: true },
      })
      refuseLate(client, this.#settings)
      return { client, limiter: new Limiter(this.#buckets) }
    }
    return this.#accesses.get(`${identity}/${region}`, make, clock.monotonic())
  }
}

/** The last thing before the wire: credentials are got and requests signed within the SDK, which may take seconds. */
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
